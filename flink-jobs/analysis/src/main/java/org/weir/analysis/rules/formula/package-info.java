/** Computes the expressions of rules, as CEL would. */
@NullMarked
package org.weir.analysis.rules.formula;

import org.jspecify.annotations.NullMarked;
