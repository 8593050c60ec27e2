/** Decodes the messages of agents; their rows leave here. */
@NullMarked
package org.weir.storage.decode;

import org.jspecify.annotations.NullMarked;
