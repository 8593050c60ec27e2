/** Brings together what is known of a job, and decides when it is written. */
package org.weir.job.join;
