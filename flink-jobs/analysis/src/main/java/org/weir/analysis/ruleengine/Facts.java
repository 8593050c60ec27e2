package org.weir.analysis.ruleengine;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.weir.analysis.evidence.EvidenceClass;
import org.weir.analysis.evidence.Feature;
import org.weir.analysis.ruleengine.formula.Formula;
import org.weir.analysis.run.RunFile;

/** What one evaluation can read, and how far what it did read can be trusted. */
final class Facts {
  private final Map<String, Feature> features;
  private final Map<String, Double> thresholds;
  private final Map<String, RuleOutcome> rules;
  private final @Nullable RunFile file;
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
    this(features, thresholds, rules, null);
  }

  private Facts(
      Map<String, Feature> features,
      Map<String, Double> thresholds,
      Map<String, RuleOutcome> rules,
      @Nullable RunFile file) {
    this.features = features;
    this.thresholds = thresholds;
    this.rules = rules;
    this.file = file;
  }

  /** These with the numbers of one of the run's files. */
  Facts with(RunFile file) {
    return new Facts(features, thresholds, rules, file);
  }

  /** Returns the formula's value; null where it is unknown, or no value of this type. */
  <T> @Nullable T evaluate(Formula formula, Class<T> type) {
    Object result = formula.value(this::read);
    return type.isInstance(result) ? type.cast(result) : null;
  }

  /** Returns the names that the formula's true comparisons read; null where it does not hold. */
  @Nullable Set<String> reasons(Formula condition) {
    return condition.reasons(this::read);
  }

  /** The worst class of what was read. */
  EvidenceClass worst() {
    return worst;
  }

  /** A module that lacks records was read. */
  boolean isIncomplete() {
    return incomplete;
  }

  /** Returns the value of a name; null for an unknown one. */
  private @Nullable Object read(String name) {
    if (file != null && FileVariables.ALL.containsKey(name)) {
      return FileVariables.ALL.get(name).applyAsDouble(file);
    }
    if (thresholds.containsKey(name)) {
      return thresholds.get(name);
    }
    RuleOutcome rule = rules.get(name);
    if (rule != null) {
      if (rule.state() == RuleOutcome.State.UNKNOWABLE) {
        return null;
      }
      worst = worst.worst(rule.evidenceClass());
      return rule.holds();
    }
    Feature feature = features.get(name);
    if (feature == null || !feature.isKnown()) {
      return null;
    }
    worst = worst.worst(feature.evidence());
    incomplete |= feature.incomplete();
    return feature.value();
  }
}
