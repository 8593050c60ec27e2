/** Finds the load of the storage in the seconds in which a run moved bytes. */
@NullMarked
package org.weir.job.load;

import org.jspecify.annotations.NullMarked;
