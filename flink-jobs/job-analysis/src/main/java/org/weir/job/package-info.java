/** Puts the job together: {@link org.weir.job.JobAnalysisJob}. */
package org.weir.job;
