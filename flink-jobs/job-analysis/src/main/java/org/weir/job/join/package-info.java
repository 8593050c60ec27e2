/** Brings together what is known of a job, and decides when it is written. */
@NullUnmarked // its code is not checked yet
package org.weir.job.join;

import org.jspecify.annotations.NullUnmarked;
