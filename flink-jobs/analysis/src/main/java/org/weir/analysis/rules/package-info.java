/**
 * Compiles rules and evaluates them.
 *
 * <p>Entry: {@link org.weir.analysis.rules.RuleSet}.
 */
package org.weir.analysis.rules;
