package org.weir.analysis.rules;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.weir.analysis.EvidenceClass;
import org.weir.analysis.Feature;
import org.weir.analysis.RunFile;
import org.weir.analysis.rules.RuleOutcome.State;

/**
 * A rule ready to run. Safe for use by many threads.
 *
 * @param clause the condition taken apart
 * @param reads ids of the rules that its condition reads
 */
record CompiledRule(
    Rule rule,
    Expression condition,
    Clause clause,
    Set<String> reads,
    List<CompiledAdvice> advice) {

  /** An advice ready to run; {@code files} is null for none. */
  record CompiledAdvice(String id, Map<String, Expression> parameters, Expression files) {}

  /**
   * Evaluates it.
   *
   * @param others outcomes of the rules that it reads, by id
   */
  RuleOutcome evaluate(
      Map<String, Feature> features,
      Map<String, Map<String, Double>> siteThresholds,
      Map<String, RuleOutcome> others,
      List<RunFile> files) {
    Map<String, Double> thresholds = rule.thresholds(siteThresholds);
    Facts facts = new Facts(features, thresholds, others);
    Boolean holds = facts.evaluate(condition, Boolean.class);
    if (holds == null || (!holds && facts.isIncomplete())) {
      // What is missing decides; where records are missing, they may make the rule hold.
      return new RuleOutcome(
          rule, State.UNKNOWABLE, EvidenceClass.UNKNOWABLE, quoted(features), List.of(), List.of());
    }
    EvidenceClass evidence =
        facts.worst() == EvidenceClass.EXACT ? EvidenceClass.EXACT : EvidenceClass.BOUNDED;
    State state = holds ? State.HOLDS : State.DOES_NOT_HOLD;
    List<Advice> advices =
        holds
            ? advice.stream().map(a -> advise(a, features, thresholds, files)).toList()
            : List.of();
    List<String> reasons =
        holds ? reasons(features, new Facts(features, thresholds, others)) : List.of();
    return new RuleOutcome(rule, state, evidence, quoted(features), reasons, advices);
  }

  private List<String> reasons(Map<String, Feature> features, Facts facts) {
    Set<String> reasons = clause.reasons(facts);
    return reasons == null
        ? List.of()
        : reasons.stream().filter(features::containsKey).sorted().toList();
  }

  private static Advice advise(
      CompiledAdvice advice,
      Map<String, Feature> features,
      Map<String, Double> thresholds,
      List<RunFile> files) {
    Facts facts = new Facts(features, thresholds, Map.of());
    Map<String, Double> parameters = new TreeMap<>();
    advice
        .parameters()
        .forEach(
            (name, expression) -> {
              Double value = facts.evaluate(expression, Double.class);
              if (value != null) {
                parameters.put(name, value);
              }
            });
    List<String> about =
        advice.files() == null
            ? List.of()
            : files.stream()
                .filter(
                    file ->
                        Boolean.TRUE.equals(
                            facts.with(file).evaluate(advice.files(), Boolean.class)))
                .map(RunFile::recordId)
                .toList();
    return new Advice(advice.id(), parameters, about);
  }

  private Map<String, Object> quoted(Map<String, Feature> features) {
    Map<String, Object> quoted = new LinkedHashMap<>();
    for (String name : rule.evidence()) {
      Feature feature = features.get(name);
      if (feature != null && feature.value() != null) {
        quoted.put(name, feature.value());
      }
    }
    return quoted;
  }
}
