/** RunSubmitJoin runs with submits, and sums up what is known of a job. */
package org.weir.analysis.job;
