/** Puts the job together: {@link org.weir.job.JobAnalysisJob}. */
@NullMarked
package org.weir.job;

import org.jspecify.annotations.NullMarked;
