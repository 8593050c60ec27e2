/** Computes the load of samples that are all at hand. */
@NullMarked
package org.weir.load.recorded;

import org.jspecify.annotations.NullMarked;
