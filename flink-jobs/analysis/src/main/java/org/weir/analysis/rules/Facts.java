package org.weir.analysis.rules;

import dev.cel.common.CelOptions;
import dev.cel.runtime.CelAttributePattern;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.PartialVars;
import dev.cel.runtime.Program;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.weir.analysis.EvidenceClass;
import org.weir.analysis.Feature;
import org.weir.analysis.RunFile;

/** What one evaluation can read, and how far what it did read can be trusted. */
final class Facts {
  static final CelOptions OPTIONS =
      CelOptions.current()
          .enableHeterogeneousNumericComparisons(true)
          .enableUnknownTracking(true)
          .build();

  /** By name of a feature or rule: CEL checks a name's form slowly whenever it makes one. */
  private static final Map<String, CelAttributePattern> PATTERNS = new ConcurrentHashMap<>();

  private final Map<String, Feature> features;
  private final Map<String, Double> thresholds;
  private final Map<String, RuleOutcome> rules;
  private final RunFile file;
  private final List<CelAttributePattern> unknown;
  private EvidenceClass worst = EvidenceClass.EXACT;
  private boolean incomplete;

  /**
   * Facts of a run.
   *
   * @param rules outcomes of other rules, by id
   */
  Facts(
      Map<String, Feature> features,
      Map<String, Double> thresholds,
      Map<String, RuleOutcome> rules) {
    this(features, thresholds, rules, null, unknown(features, rules));
  }

  private Facts(
      Map<String, Feature> features,
      Map<String, Double> thresholds,
      Map<String, RuleOutcome> rules,
      RunFile file,
      List<CelAttributePattern> unknown) {
    this.features = features;
    this.thresholds = thresholds;
    this.rules = rules;
    this.file = file;
    this.unknown = unknown;
  }

  /** These with the numbers of one of the run's files. */
  Facts with(RunFile file) {
    return new Facts(features, thresholds, rules, file, unknown);
  }

  private static List<CelAttributePattern> unknown(
      Map<String, Feature> features, Map<String, RuleOutcome> rules) {
    List<CelAttributePattern> unknown = new ArrayList<>();
    features.forEach(
        (name, feature) -> {
          if (!feature.isKnown()) {
            unknown.add(pattern(name));
          }
        });
    rules.forEach(
        (id, outcome) -> {
          if (outcome.state() == RuleOutcome.State.UNKNOWABLE) {
            unknown.add(pattern(id));
          }
        });
    return unknown;
  }

  private static CelAttributePattern pattern(String name) {
    return PATTERNS.computeIfAbsent(name, CelAttributePattern::create);
  }

  /** The expression's value; null where it is unknown or makes no sense, such as 0 / 0. */
  <T> T evaluate(Program program, Class<T> type) {
    try {
      Object result = program.eval(PartialVars.of(this::find, unknown));
      return type.isInstance(result) ? type.cast(result) : null;
    } catch (CelEvaluationException e) {
      return null;
    }
  }

  /** The worst class of what was read. */
  EvidenceClass worst() {
    return worst;
  }

  /** A module that lacks records was read. */
  boolean isIncomplete() {
    return incomplete;
  }

  private Optional<Object> find(String name) {
    if (file != null && FileVariables.ALL.containsKey(name)) {
      return Optional.of(FileVariables.ALL.get(name).applyAsDouble(file));
    }
    if (thresholds.containsKey(name)) {
      return Optional.of(thresholds.get(name));
    }
    RuleOutcome rule = rules.get(name);
    if (rule != null) {
      if (rule.state() == RuleOutcome.State.UNKNOWABLE) {
        return Optional.empty();
      }
      worst = worst.worst(rule.evidenceClass());
      return Optional.of(rule.holds());
    }
    Feature feature = features.get(name);
    if (feature == null || !feature.isKnown()) {
      return Optional.empty();
    }
    worst = worst.worst(feature.evidence());
    incomplete |= feature.incomplete();
    return Optional.of(feature.value());
  }
}
