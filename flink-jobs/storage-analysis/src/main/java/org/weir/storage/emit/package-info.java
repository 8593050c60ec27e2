/** Writes load and events as rows and messages. */
@NullMarked
package org.weir.storage.emit;

import org.jspecify.annotations.NullMarked;
