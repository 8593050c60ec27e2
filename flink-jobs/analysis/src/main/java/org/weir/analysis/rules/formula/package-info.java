/** Computes the expressions of rules, as CEL would. */
package org.weir.analysis.rules.formula;
