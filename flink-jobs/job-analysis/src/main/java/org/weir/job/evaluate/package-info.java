/** Judges runs and jobs with what is known of them at the moment, without state or time. */
@NullMarked
package org.weir.job.evaluate;

import org.jspecify.annotations.NullMarked;
