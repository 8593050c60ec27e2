/** Compares a run with earlier ones of the same application. */
package org.weir.job.baseline;
