/** Holds what one log says of its run. */
@NullMarked
package org.weir.job.run;

import org.jspecify.annotations.NullMarked;
