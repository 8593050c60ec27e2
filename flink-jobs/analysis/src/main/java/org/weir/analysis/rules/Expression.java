package org.weir.analysis.rules;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelOptions;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import dev.cel.runtime.PartialVars;
import java.util.List;
import java.util.function.Supplier;

/**
 * Evaluates an expression of a rule that has been checked. It is planned when it is first
 * evaluated: most advice is for rules that do not hold. Safe for use by many threads.
 */
final class Expression {
  static final CelOptions OPTIONS =
      CelOptions.current()
          .enableHeterogeneousNumericComparisons(true)
          .enableUnknownTracking(true)
          .build();

  private static final CelRuntime RUNTIME =
      CelRuntimeFactory.plannerRuntimeBuilder().setOptions(OPTIONS).build();

  private final Supplier<CelAbstractSyntaxTree> checked;
  private final List<String> names;
  private volatile CelRuntime.Program program;

  /**
   * An expression.
   *
   * @param names of the features, rules, thresholds and numbers of files that it reads
   */
  Expression(Supplier<CelAbstractSyntaxTree> checked, List<String> names) {
    this.checked = checked;
    this.names = names;
  }

  /** What the compiler made of its text. */
  CelAbstractSyntaxTree checked() {
    return checked.get();
  }

  /** Features, rules, thresholds and numbers of files that it reads. */
  List<String> names() {
    return names;
  }

  /** Plans it now, so that what cannot be planned is known before it is used. */
  void plan() throws CelEvaluationException {
    program = RUNTIME.createProgram(checked());
  }

  /** Its value, or what CEL has for an unknown one. */
  Object evaluate(PartialVars variables) throws CelEvaluationException {
    if (program == null) {
      plan();
    }
    return program.eval(variables);
  }
}
