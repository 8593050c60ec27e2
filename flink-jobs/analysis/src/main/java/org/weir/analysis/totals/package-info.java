/** Presents what was added up as features read it: the run, its listed files, its traffic. */
@NullMarked
package org.weir.analysis.totals;

import org.jspecify.annotations.NullMarked;
