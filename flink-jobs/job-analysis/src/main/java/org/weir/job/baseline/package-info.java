/** Compares a run with earlier ones of the same application. */
@NullMarked
package org.weir.job.baseline;

import org.jspecify.annotations.NullMarked;
