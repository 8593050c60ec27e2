/** LogJobJoin runs with submits, and sums up what is known of a job. */
@NullMarked
package org.weir.analysis.job;

import org.jspecify.annotations.NullMarked;
