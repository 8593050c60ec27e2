/**
 * Reads and evaluates rules; the rules themselves are {@code schemas/rules}.
 *
 * <p>Entry: {@link org.weir.analysis.ruleengine.RuleSet}.
 */
@NullMarked
package org.weir.analysis.ruleengine;

import org.jspecify.annotations.NullMarked;
