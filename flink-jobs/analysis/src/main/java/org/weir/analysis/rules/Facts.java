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
import org.weir.analysis.EvidenceClass;
import org.weir.analysis.Feature;

/** What one evaluation can read, and how far what it did read can be trusted. */
final class Facts {
  static final CelOptions OPTIONS =
      CelOptions.current()
          .enableHeterogeneousNumericComparisons(true)
          .enableUnknownTracking(true)
          .build();

  private final Map<String, Feature> features;
  private final Map<String, Double> numbers;
  private final Map<String, RuleOutcome> rules;
  private final List<CelAttributePattern> unknown = new ArrayList<>();
  private EvidenceClass worst = EvidenceClass.EXACT;
  private boolean incomplete;

  /**
   * Facts.
   *
   * @param numbers thresholds, and numbers of a file
   * @param rules outcomes of other rules, by id
   */
  Facts(
      Map<String, Feature> features, Map<String, Double> numbers, Map<String, RuleOutcome> rules) {
    this.features = features;
    this.numbers = numbers;
    this.rules = rules;
    features.values().stream()
        .filter(feature -> !feature.isKnown())
        .forEach(feature -> unknown.add(CelAttributePattern.create(feature.name())));
    rules.forEach(
        (id, outcome) -> {
          if (outcome.state() == RuleOutcome.State.UNKNOWABLE) {
            unknown.add(CelAttributePattern.create(id));
          }
        });
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
    if (numbers.containsKey(name)) {
      return Optional.of(numbers.get(name));
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
