package org.weir.analysis.rules;

import dev.cel.bundle.Cel;
import dev.cel.bundle.CelBuilder;
import dev.cel.bundle.CelFactory;
import dev.cel.common.CelIssue;
import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.Program;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.weir.analysis.FeatureCatalog;

/**
 * Compiles rules and says everything that is wrong with them. Features are doubles in CEL, with
 * comparison between numeric types on; an unknown feature makes a condition unknown unless the rest
 * decides it.
 */
final class RuleCompiler {
  private static final CelOptions OPTIONS =
      CelOptions.current()
          .enableHeterogeneousNumericComparisons(true)
          .enableUnknownTracking(true)
          .build();

  private final Cel cel = cel();
  private final List<RuleProblem> problems = new ArrayList<>();
  private final Set<String> ids = new HashSet<>();

  /** Everything found so far. */
  List<RuleProblem> problems() {
    return problems;
  }

  /** The rule ready to run, or null where something is wrong with it. */
  CompiledRule compile(String place, Rule rule) {
    int before = problems.size();
    String name = rule.id() == null || rule.id().isEmpty() ? place : rule.id();
    checkText(name, "id", rule.id());
    checkText(name, "title", rule.title());
    checkText(name, "condition", rule.condition());
    if (rule.id() != null && !ids.add(rule.id())) {
      problem(name, "id", "another rule has the same id");
    }
    checkEvidence(name, rule);
    Program program = rule.condition() == null ? null : program(name, rule.condition());
    return problems.size() > before ? null : new CompiledRule(rule, program);
  }

  private void checkEvidence(String name, Rule rule) {
    for (String feature : rule.evidence()) {
      if (FeatureCatalog.find(feature) == null) {
        problem(name, "evidence", "no feature is called " + feature);
      }
    }
  }

  private void checkText(String name, String field, String text) {
    if (text == null || text.isBlank()) {
      problem(name, field, "is missing");
    }
  }

  private Program program(String name, String condition) {
    CelValidationResult result = cel.compile(condition);
    for (CelIssue issue : result.getErrors()) {
      // CEL counts columns from 0.
      int column = issue.getSourceLocation().getColumn() + 1;
      int line = issue.getSourceLocation().getLine();
      problems.add(new RuleProblem(name, "condition", line, column, issue.getMessage()));
    }
    try {
      return result.hasError() ? null : cel.createProgram(result.getAst());
    } catch (CelValidationException | CelEvaluationException e) {
      problem(name, "condition", e.getMessage());
      return null;
    }
  }

  private static Cel cel() {
    CelBuilder builder = CelFactory.plannerCelBuilder().setOptions(OPTIONS);
    FeatureCatalog.all().forEach(feature -> builder.addVar(feature.name(), SimpleType.DOUBLE));
    return builder.setResultType(SimpleType.BOOL).build();
  }

  private void problem(String rule, String field, String reason) {
    problems.add(new RuleProblem(rule, field, 0, 0, reason));
  }
}
