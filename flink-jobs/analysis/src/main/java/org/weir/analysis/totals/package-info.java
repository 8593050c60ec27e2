/** Presents what was added up as features read it: the run, its listed files, its traffic. */
package org.weir.analysis.totals;
