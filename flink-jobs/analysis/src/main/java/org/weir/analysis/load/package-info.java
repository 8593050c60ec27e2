/** Sums the load of the storage in the seconds in which a run moved bytes. */
@NullMarked
package org.weir.analysis.load;

import org.jspecify.annotations.NullMarked;
