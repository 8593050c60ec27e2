/** Holds what devices, servers and file systems did in one bucket. */
@NullMarked
package org.weir.load.bucket;

import org.jspecify.annotations.NullMarked;
