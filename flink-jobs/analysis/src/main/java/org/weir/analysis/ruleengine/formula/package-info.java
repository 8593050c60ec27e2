/** Computes the expressions of rules, as CEL would. */
@NullMarked
package org.weir.analysis.ruleengine.formula;

import org.jspecify.annotations.NullMarked;
