package org.weir.analysis.ruleengine;

import dev.cel.bundle.Cel;
import dev.cel.bundle.CelBuilder;
import dev.cel.bundle.CelFactory;
import dev.cel.common.CelIssue;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.CelEvaluationException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.weir.analysis.compare.FeatureCatalog;
import org.weir.analysis.ruleengine.CompiledRule.CompiledAdvice;
import org.weir.analysis.ruleengine.formula.CelFormula;
import org.weir.analysis.ruleengine.formula.Formula;

/**
 * Compiles rules and says everything that is wrong with them. Features and thresholds are doubles
 * in CEL, with comparison between numeric types on; other rules are booleans; what is unknown makes
 * a condition unknown unless the rest decides it.
 */
final class RuleCompiler {
  private static final String NAME = "[a-z][a-z0-9_]*";

  private final Set<String> ruleIds;

  /** The names of all rules' thresholds: one environment knows them all and is built once. */
  private final Set<String> thresholdNames;

  private final Map<String, Cel> shared = new HashMap<>();
  private final List<RuleProblem> problems = new ArrayList<>();
  private final Set<String> ids = new HashSet<>();

  /** The rule that is being compiled. */
  private String ruleName = "";

  private final Set<String> read = new TreeSet<>();

  /** A compiler of rules with these ids, whose thresholds have these names. */
  RuleCompiler(Set<String> ruleIds, Set<String> thresholdNames) {
    this.ruleIds = ruleIds;
    this.thresholdNames = thresholdNames;
  }

  /** Everything found so far. */
  List<RuleProblem> problems() {
    return problems;
  }

  /** Returns the rule ready to run; null where something is wrong with it. */
  @Nullable CompiledRule compile(String place, Rule rule) {
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
    Names conditions = new Names(SimpleType.BOOL, true, false);
    Formula expression = expression(rule, conditions, "condition", rule.condition());
    Set<String> reads = new TreeSet<>(read);
    reads.retainAll(ruleIds);
    List<CompiledAdvice> advice = rule.advice().stream().map(spec -> advice(rule, spec)).toList();
    for (String threshold : rule.thresholds().keySet()) {
      if (sound && expression != null && !read.contains(threshold)) {
        problem("thresholds", threshold + " is read by nothing");
      }
    }
    return expression == null || problems.size() > before
        ? null
        : new CompiledRule(rule, expression, reads, advice);
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
    Map<String, Formula> parameters = new TreeMap<>();
    Names numbers = new Names(SimpleType.DOUBLE, false, false);
    spec.parameters()
        .forEach((name, text) -> parameters.put(name, expression(rule, numbers, "advice", text)));
    Names ofFile = new Names(SimpleType.BOOL, false, true);
    Formula files = spec.files() == null ? null : expression(rule, ofFile, "advice", spec.files());
    return new CompiledAdvice(spec.id(), parameters, files);
  }

  private void checkText(String field, @Nullable String text) {
    if (text == null || text.isBlank()) {
      problem(field, "is missing");
    }
  }

  /** What an expression may read beside features and its rule's thresholds, and what it gives. */
  private record Names(CelType result, boolean otherRules, boolean file) {}

  private @Nullable Formula expression(Rule rule, Names scope, String field, String text) {
    Cel all = shared.computeIfAbsent(scope.toString(), key -> cel(scope, thresholdNames));
    Formula expression = expression(all, field, text, false);
    // What is wrong is said in the rule's own terms, where another rule's threshold is no name.
    if (expression == null || !isWithin(rule, expression)) {
      expression = expression(cel(scope, rule.thresholds().keySet()), field, text, true);
    }
    if (expression != null) {
      read.addAll(expression.names());
    }
    return expression;
  }

  private boolean isWithin(Rule rule, Formula expression) {
    return expression.names().stream()
        .noneMatch(
            name -> isThreshold(name, thresholdNames) && !rule.thresholds().containsKey(name));
  }

  private boolean isThreshold(String name, Set<String> thresholds) {
    return thresholds.contains(name)
        && name.matches(NAME)
        && FeatureCatalog.find(name) == null
        && !ruleIds.contains(name);
  }

  private @Nullable Formula expression(Cel cel, String field, String text, boolean report) {
    CelValidationResult result = cel.compile(text);
    for (CelIssue issue : report ? result.getErrors() : List.<CelIssue>of()) {
      // CEL counts columns from 0.
      int column = issue.getSourceLocation().getColumn() + 1;
      int line = issue.getSourceLocation().getLine();
      problems.add(new RuleProblem(ruleName, field, line, column, issue.getMessage()));
    }
    try {
      if (result.hasError()) {
        return null;
      }
      return CelFormula.of(result.getAst());
    } catch (CelValidationException | CelEvaluationException e) {
      if (report) {
        problem(field, Objects.requireNonNullElse(e.getMessage(), e.toString()));
      }
      return null;
    }
  }

  private Cel cel(Names scope, Set<String> thresholds) {
    CelBuilder builder = CelFactory.plannerCelBuilder().setOptions(CelFormula.OPTIONS);
    FeatureCatalog.all().forEach(feature -> builder.addVar(feature.name(), SimpleType.DOUBLE));
    thresholds.stream()
        .filter(name -> isThreshold(name, thresholds))
        .forEach(name -> builder.addVar(name, SimpleType.DOUBLE));
    if (scope.otherRules()) {
      ruleIds.stream()
          .filter(id -> id.matches(NAME) && FeatureCatalog.find(id) == null)
          .forEach(id -> builder.addVar(id, SimpleType.BOOL));
    }
    if (scope.file()) {
      FileVariables.ALL.keySet().forEach(name -> builder.addVar(name, SimpleType.DOUBLE));
    }
    return builder.setResultType(scope.result()).build();
  }

  private void problem(String field, String reason) {
    problems.add(new RuleProblem(ruleName, field, 0, 0, reason));
  }
}
