package org.weir.analysis.rules;

import dev.cel.runtime.CelAttributePattern;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.PartialVars;
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
  /** By name of a feature or rule: CEL checks a name's form slowly whenever it makes one. */
  private static final Map<String, CelAttributePattern> PATTERNS = new ConcurrentHashMap<>();

  private final Map<String, Feature> features;
  private final Map<String, Double> thresholds;
  private final Map<String, RuleOutcome> rules;
  private final RunFile file;
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
      RunFile file) {
    this.features = features;
    this.thresholds = thresholds;
    this.rules = rules;
    this.file = file;
  }

  /** These with the numbers of one of the run's files. */
  Facts with(RunFile file) {
    return new Facts(features, thresholds, rules, file);
  }

  /** CEL goes through them for every name that it reads, so there is no more than it can read. */
  private List<CelAttributePattern> unknown(Expression expression) {
    List<CelAttributePattern> unknown = new ArrayList<>();
    for (String name : expression.names()) {
      if (isUnknown(name)) {
        unknown.add(PATTERNS.computeIfAbsent(name, CelAttributePattern::create));
      }
    }
    return unknown;
  }

  private boolean isUnknown(String name) {
    Feature feature = features.get(name);
    RuleOutcome rule = rules.get(name);
    return (feature != null && !feature.isKnown())
        || (rule != null && rule.state() == RuleOutcome.State.UNKNOWABLE);
  }

  /** The expression's value; null where it is unknown or makes no sense, such as 0 / 0. */
  <T> T evaluate(Expression expression, Class<T> type) {
    try {
      Object result = expression.evaluate(PartialVars.of(this::find, unknown(expression)));
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
