/**
 * Compiles rules and evaluates them.
 *
 * <p>Entry: {@link org.weir.analysis.rules.RuleSet}.
 */
@NullMarked
package org.weir.analysis.rules;

import org.jspecify.annotations.NullMarked;
