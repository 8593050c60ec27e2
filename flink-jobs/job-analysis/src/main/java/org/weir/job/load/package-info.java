/** Finds the load of the storage in the seconds in which a run moved bytes. */
package org.weir.job.load;
