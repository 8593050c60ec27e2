/** Compares a run with others and with its site: earlier runs, reference rates, what it cost. */
@NullMarked
package org.weir.analysis.compare;

import org.jspecify.annotations.NullMarked;
