/** Brings together what is known of a job, and decides when it is written. */
@NullMarked
package org.weir.job.join;

import org.jspecify.annotations.NullMarked;
