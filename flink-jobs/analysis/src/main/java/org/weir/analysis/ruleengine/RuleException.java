package org.weir.analysis.ruleengine;

import java.util.List;
import java.util.stream.Collectors;

/** Rules that must not become active, with everything that is wrong with them. */
public final class RuleException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient List<RuleProblem> problems;

  RuleException(List<RuleProblem> problems) {
    super(problems.stream().map(RuleProblem::toString).collect(Collectors.joining("; ")));
    this.problems = List.copyOf(problems);
  }

  /** All of them, in the order of the rules. */
  public List<RuleProblem> problems() {
    return problems;
  }
}
