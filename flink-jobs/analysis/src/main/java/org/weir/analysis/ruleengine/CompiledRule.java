package org.weir.analysis.ruleengine;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.weir.analysis.evidence.EvidenceClass;
import org.weir.analysis.evidence.Feature;
import org.weir.analysis.ruleengine.RuleOutcome.State;
import org.weir.analysis.ruleengine.formula.Formula;
import org.weir.analysis.run.RunDetail;
import org.weir.analysis.run.RunDetail.FilesystemPart;
import org.weir.analysis.run.RunFile;

/**
 * A rule ready to run. Safe for use by many threads.
 *
 * @param reads ids of the rules that its condition reads
 */
record CompiledRule(Rule rule, Formula condition, Set<String> reads, List<CompiledAdvice> advice) {

  /** An advice ready to run; {@code files} is null for none. */
  record CompiledAdvice(String id, Map<String, Formula> parameters, @Nullable Formula files) {}

  /**
   * Evaluates it, of each file system by itself where that is its scope. A run that was kept
   * without its file systems is evaluated as a whole.
   *
   * @param others outcomes of the rules that it reads, by id
   */
  RuleOutcome evaluate(
      Map<String, Feature> run,
      Map<String, Map<String, Double>> siteThresholds,
      Map<String, RuleOutcome> others,
      RunDetail detail) {
    Map<String, Double> thresholds = rule.thresholds(siteThresholds);
    if (rule.scope() == Scope.RUN || detail.filesystems().isEmpty()) {
      return evaluate(run, thresholds, others, detail.files(), Map.of());
    }
    List<RuleOutcome> outcomes =
        detail.filesystems().stream()
            .map(filesystem -> evaluate(filesystem, run, thresholds, others, detail.files()))
            .sorted(BY_WEIGHT)
            .toList();
    List<Object> alsoHolds =
        outcomes.stream()
            .skip(1)
            .filter(RuleOutcome::holds)
            .map(outcome -> outcome.evidence().get("filesystem"))
            .toList();
    return alsoHolds.isEmpty()
        ? outcomes.get(0)
        : outcomes.get(0).with("other_filesystems", alsoHolds);
  }

  /** Those that hold first, then those that may; the largest first number quoted first. */
  private static final Comparator<RuleOutcome> BY_WEIGHT =
      Comparator.comparing(CompiledRule::doubt)
          .thenComparing(CompiledRule::firstNumber, Comparator.reverseOrder());

  private static int doubt(RuleOutcome outcome) {
    return switch (outcome.state()) {
      case HOLDS -> 0;
      case UNKNOWABLE -> 1;
      case DOES_NOT_HOLD -> outcome.evidenceClass() == EvidenceClass.EXACT ? 3 : 2;
    };
  }

  private static double firstNumber(RuleOutcome outcome) {
    return outcome.rule().evidence().stream()
        .limit(1)
        .mapToDouble(name -> (Double) outcome.evidence().getOrDefault(name, 0.0))
        .sum();
  }

  private RuleOutcome evaluate(
      FilesystemPart filesystem,
      Map<String, Feature> run,
      Map<String, Double> thresholds,
      Map<String, RuleOutcome> others,
      List<RunFile> files) {
    Map<String, Feature> features = new TreeMap<>(run);
    features.putAll(filesystem.features());
    String id = filesystem.filesystem();
    List<RunFile> own = files.stream().filter(file -> file.filesystem().equals(id)).toList();
    return evaluate(features, thresholds, others, own, Map.of("filesystem", id));
  }

  private RuleOutcome evaluate(
      Map<String, Feature> features,
      Map<String, Double> thresholds,
      Map<String, RuleOutcome> others,
      List<RunFile> files,
      Map<String, Object> place) {
    Facts facts = new Facts(features, thresholds, others);
    Boolean holds = facts.evaluate(condition, Boolean.class);
    Map<String, Object> evidence = new LinkedHashMap<>(place);
    evidence.putAll(quoted(features));
    if (holds == null || (!holds && facts.isIncomplete())) {
      // What is missing decides; where records are missing, they may make the rule hold.
      return new RuleOutcome(
          rule, State.UNKNOWABLE, EvidenceClass.UNKNOWABLE, evidence, List.of(), List.of());
    }
    EvidenceClass known =
        facts.worst() == EvidenceClass.EXACT ? EvidenceClass.EXACT : EvidenceClass.BOUNDED;
    if (!holds) {
      return new RuleOutcome(rule, State.DOES_NOT_HOLD, known, evidence, List.of(), List.of());
    }
    List<Advice> advices =
        advice.stream().map(a -> advise(a, features, thresholds, files)).toList();
    List<String> reasons = reasons(features, new Facts(features, thresholds, others));
    return new RuleOutcome(rule, State.HOLDS, known, evidence, reasons, advices);
  }

  private List<String> reasons(Map<String, Feature> features, Facts facts) {
    Set<String> reasons = facts.reasons(condition);
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
