package org.weir.analysis.rules;

import dev.cel.bundle.Cel;
import dev.cel.bundle.CelBuilder;
import dev.cel.bundle.CelFactory;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelIssue;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.ast.CelReference;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.CelEvaluationException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.weir.analysis.FeatureCatalog;
import org.weir.analysis.rules.CompiledRule.CompiledAdvice;

/**
 * Compiles rules and says everything that is wrong with them. Features and thresholds are doubles
 * in CEL, with comparison between numeric types on; other rules are booleans; what is unknown makes
 * a condition unknown unless the rest decides it.
 */
final class RuleCompiler {
  private static final String NAME = "[a-z][a-z0-9_]*";

  private final Set<String> ruleIds;
  private final List<RuleProblem> problems = new ArrayList<>();
  private final Set<String> ids = new HashSet<>();

  /** The rule that is being compiled. */
  private String ruleName = "";

  private final Set<String> read = new TreeSet<>();

  /** A compiler of rules with these ids. */
  RuleCompiler(Set<String> ruleIds) {
    this.ruleIds = ruleIds;
  }

  /** Everything found so far. */
  List<RuleProblem> problems() {
    return problems;
  }

  /** The rule ready to run, or null where something is wrong with it. */
  CompiledRule compile(String place, Rule rule) {
    int before = problems.size();
    ruleName = rule.id() == null || rule.id().isEmpty() ? place : rule.id();
    read.clear();
    checkText("id", rule.id());
    checkText("title", rule.title());
    checkText("condition", rule.condition());
    if (rule.id() != null && !ids.add(rule.id())) {
      problem("id", "another rule has the same id");
    }
    if (rule.id() != null && FeatureCatalog.find(rule.id()) != null) {
      problem("id", "a feature has the same name");
    }
    checkEvidence(rule);
    boolean sound = checkThresholds(rule);
    if (rule.condition() == null) {
      return null;
    }
    Cel condition = cel(SimpleType.BOOL, rule, true, false);
    Expression expression = expression(condition, "condition", rule.condition());
    Set<String> reads = new TreeSet<>(read);
    reads.retainAll(ruleIds);
    List<CompiledAdvice> advice = rule.advice().stream().map(spec -> advice(rule, spec)).toList();
    for (String threshold : rule.thresholds().keySet()) {
      if (sound && expression != null && !read.contains(threshold)) {
        problem("thresholds", threshold + " is read by nothing");
      }
    }
    return problems.size() > before ? null : new CompiledRule(rule, expression, reads, advice);
  }

  /** Reports rules that read each other in a circle. */
  void checkCircles(Map<String, CompiledRule> rules) {
    for (CompiledRule rule : rules.values()) {
      Set<String> reached = new TreeSet<>(rule.reads());
      int size = -1;
      while (reached.size() > size) {
        size = reached.size();
        for (String id : List.copyOf(reached)) {
          reached.addAll(rules.containsKey(id) ? rules.get(id).reads() : Set.of());
        }
      }
      if (reached.contains(rule.rule().id())) {
        ruleName = rule.rule().id();
        problem("condition", "reads itself by way of " + String.join(", ", rule.reads()));
      }
    }
  }

  private void checkEvidence(Rule rule) {
    for (String feature : rule.evidence()) {
      if (FeatureCatalog.find(feature) == null) {
        problem("evidence", "no feature is called " + feature);
      }
    }
  }

  private boolean checkThresholds(Rule rule) {
    int before = problems.size();
    for (Map.Entry<String, Double> threshold : new TreeMap<>(rule.thresholds()).entrySet()) {
      String name = threshold.getKey();
      if (!name.matches(NAME)) {
        problem("thresholds", name + ": expected lower case letters, digits and _");
      } else if (FeatureCatalog.find(name) != null || ruleIds.contains(name)) {
        problem("thresholds", name + " is a feature or a rule");
      } else if (threshold.getValue() == null || !Double.isFinite(threshold.getValue())) {
        problem("thresholds", name + ": expected a number");
      }
    }
    return problems.size() == before;
  }

  private CompiledAdvice advice(Rule rule, AdviceSpec spec) {
    if (spec.id().isBlank()) {
      problem("advice", "an advice has no id");
    }
    Map<String, Expression> parameters = new TreeMap<>();
    if (!spec.parameters().isEmpty()) {
      Cel cel = cel(SimpleType.DOUBLE, rule, false, false);
      spec.parameters()
          .forEach((name, text) -> parameters.put(name, expression(cel, "advice", text)));
    }
    Expression files =
        spec.files() == null
            ? null
            : expression(cel(SimpleType.BOOL, rule, false, true), "advice", spec.files());
    return new CompiledAdvice(spec.id(), parameters, files);
  }

  private void checkText(String field, String text) {
    if (text == null || text.isBlank()) {
      problem(field, "is missing");
    }
  }

  private Expression expression(Cel cel, String field, String text) {
    CelValidationResult result = cel.compile(text);
    for (CelIssue issue : result.getErrors()) {
      // CEL counts columns from 0.
      int column = issue.getSourceLocation().getColumn() + 1;
      int line = issue.getSourceLocation().getLine();
      problems.add(new RuleProblem(ruleName, field, line, column, issue.getMessage()));
    }
    try {
      if (result.hasError()) {
        return null;
      }
      CelAbstractSyntaxTree ast = result.getAst();
      List<String> names =
          ast.getReferenceMap().values().stream().map(CelReference::name).distinct().toList();
      read.addAll(names);
      return new Expression(cel.createProgram(ast), names);
    } catch (CelValidationException | CelEvaluationException e) {
      problem(field, e.getMessage());
      return null;
    }
  }

  private Cel cel(CelType result, Rule rule, boolean otherRules, boolean file) {
    CelBuilder builder = CelFactory.plannerCelBuilder().setOptions(Facts.OPTIONS);
    FeatureCatalog.all().forEach(feature -> builder.addVar(feature.name(), SimpleType.DOUBLE));
    rule.thresholds().keySet().stream()
        .filter(name -> name.matches(NAME))
        .filter(name -> FeatureCatalog.find(name) == null && !ruleIds.contains(name))
        .forEach(name -> builder.addVar(name, SimpleType.DOUBLE));
    if (otherRules) {
      ruleIds.stream()
          .filter(id -> id.matches(NAME) && FeatureCatalog.find(id) == null)
          .forEach(id -> builder.addVar(id, SimpleType.BOOL));
    }
    if (file) {
      FileVariables.ALL.keySet().forEach(name -> builder.addVar(name, SimpleType.DOUBLE));
    }
    return builder.setResultType(result).build();
  }

  private void problem(String field, String reason) {
    problems.add(new RuleProblem(ruleName, field, 0, 0, reason));
  }
}
