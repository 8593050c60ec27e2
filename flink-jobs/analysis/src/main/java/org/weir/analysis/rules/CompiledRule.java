package org.weir.analysis.rules;

import dev.cel.runtime.CelAttributePattern;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.PartialVars;
import dev.cel.runtime.Program;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.weir.analysis.EvidenceClass;
import org.weir.analysis.Feature;
import org.weir.analysis.rules.RuleOutcome.State;

/** A rule ready to run. Safe for use by many threads. */
final class CompiledRule {
  private final Rule rule;
  private final Program condition;

  CompiledRule(Rule rule, Program condition) {
    this.rule = rule;
    this.condition = condition;
  }

  RuleOutcome evaluate(Map<String, Feature> features) {
    Reader reader = new Reader(features);
    Boolean holds = run(features, reader);
    if (holds == null || (!holds && reader.incomplete)) {
      // What is missing decides; where records are missing, they may make the rule hold.
      return new RuleOutcome(rule, State.UNKNOWABLE, EvidenceClass.UNKNOWABLE, quoted(features));
    }
    EvidenceClass evidence =
        reader.worst == EvidenceClass.EXACT ? EvidenceClass.EXACT : EvidenceClass.BOUNDED;
    State state = holds ? State.HOLDS : State.DOES_NOT_HOLD;
    return new RuleOutcome(rule, state, evidence, quoted(features));
  }

  /** Null where it is unknown. */
  private Boolean run(Map<String, Feature> features, Reader reader) {
    List<CelAttributePattern> unknown =
        features.values().stream()
            .filter(feature -> !feature.isKnown())
            .map(feature -> CelAttributePattern.create(feature.name()))
            .toList();
    try {
      Object result = condition.eval(PartialVars.of(reader::find, unknown));
      return result instanceof Boolean holds ? holds : null;
    } catch (CelEvaluationException e) {
      // Such as a division by zero: no statement about this run.
      return null;
    }
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

  /** Gives features to the condition and remembers how far those that it read can be trusted. */
  private static final class Reader {
    private final Map<String, Feature> features;
    private EvidenceClass worst = EvidenceClass.EXACT;
    private boolean incomplete;

    Reader(Map<String, Feature> features) {
      this.features = features;
    }

    Optional<Object> find(String name) {
      Feature feature = features.get(name);
      if (feature == null || !feature.isKnown()) {
        return Optional.empty();
      }
      worst = worst.worst(feature.evidence());
      incomplete |= feature.incomplete();
      return Optional.of(feature.value());
    }
  }
}
