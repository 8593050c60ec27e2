/** Puts the parts of a log together and computes its run's features. */
@NullMarked
package org.weir.job.assemble;

import org.jspecify.annotations.NullMarked;
