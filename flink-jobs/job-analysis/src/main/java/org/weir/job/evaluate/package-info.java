/** Judges runs and jobs with what is known of them at the moment, without state or time. */
package org.weir.job.evaluate;
