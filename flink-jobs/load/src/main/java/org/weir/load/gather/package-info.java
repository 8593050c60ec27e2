/** Puts samples into the buckets of servers, and these into those of file systems. */
@NullMarked
package org.weir.load.gather;

import org.jspecify.annotations.NullMarked;
