/** Holds everything that is known of a run from its log alone. */
@NullMarked
package org.weir.analysis.run;

import org.jspecify.annotations.NullMarked;
