/** Holds one sample of a server, and what its devices did since the one before. */
@NullMarked
package org.weir.load.sample;

import org.jspecify.annotations.NullMarked;
