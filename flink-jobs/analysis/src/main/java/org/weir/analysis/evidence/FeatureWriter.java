package org.weir.analysis.evidence;

import static java.util.Objects.requireNonNull;
import static org.weir.analysis.evidence.EvidenceClass.BOUNDED;
import static org.weir.analysis.evidence.EvidenceClass.EXACT;
import static org.weir.analysis.evidence.EvidenceClass.LOWER_BOUND;
import static org.weir.analysis.evidence.EvidenceClass.UNKNOWABLE;
import static org.weir.analysis.evidence.EvidenceClass.UPPER_BOUND;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.weir.analysis.evidence.FeatureSpec.Bounds;
import org.weir.analysis.evidence.FeatureSpec.Missing;
import org.weir.analysis.log.LogState;
import org.weir.analysis.log.Module;
import org.weir.analysis.state.Count;

/** Collects features, each with the class that the state of its modules leaves it. */
public final class FeatureWriter {
  private static final Set<LogState.OfModule> LACKING_STATES =
      EnumSet.of(LogState.OfModule.LACKING, LogState.OfModule.CUT);

  private final Map<Module, LogState.OfModule> states;
  private final Map<String, Feature> features = new TreeMap<>();

  public FeatureWriter(Map<Module, LogState.OfModule> states) {
    this.states = states;
  }

  public Map<String, Feature> features() {
    return features;
  }

  public Feature feature(FeatureSpec spec) {
    return requireNonNull(features.get(spec.name()), spec.name());
  }

  public @Nullable Double value(FeatureSpec spec) {
    return feature(spec).value();
  }

  /**
   * Writes the sum of the counters that the feature is declared to be.
   *
   * @param sums of each counter
   */
  public void sum(FeatureSpec spec, Function<String, Count> sums) {
    total(spec, spec.counters().stream().map(sums).toList());
  }

  /** Writes a sum of sums. */
  public void total(FeatureSpec spec, List<Count> counts) {
    Count sum = new Count();
    counts.forEach(sum::merge);
    put(spec, valueOf(sum), EXACT);
  }

  public void total(FeatureSpec spec, Count count) {
    total(spec, List.of(count));
  }

  /** Writes two bounds of a sum. */
  public void bounds(Bounds specs, Count lower, Count upper) {
    bounds(specs, lower, upper, EXACT);
  }

  /**
   * Writes two bounds of a sum, of which the lower one is worse.
   *
   * @param own what is worse about it
   */
  public void bounds(Bounds specs, Count lower, Count upper, EvidenceClass own) {
    boolean available = lower.isAvailable() && upper.isAvailable();
    boolean exact = lower.value() == upper.value();
    put(specs.lower(), available ? valueOf(lower) : null, own.worst(exact ? EXACT : LOWER_BOUND));
    put(specs.upper(), available ? valueOf(upper) : null, exact ? EXACT : UPPER_BOUND);
  }

  /** Writes two bounds of a share or mean. */
  public void range(Bounds specs, @Nullable Double lower, @Nullable Double upper, boolean exact) {
    put(specs.lower(), lower, exact ? EXACT : LOWER_BOUND);
    put(specs.upper(), upper, exact ? EXACT : UPPER_BOUND);
  }

  public void undefined(Bounds specs) {
    undefined(specs.lower());
    undefined(specs.upper());
  }

  /** Writes that a number is not defined, such as a share of nothing. */
  public void undefined(FeatureSpec spec) {
    undefined(spec, spec.moduleArray());
  }

  /**
   * Writes that a number is not defined.
   *
   * @param modules those that say so
   */
  public void undefined(FeatureSpec spec, Module... modules) {
    EvidenceClass evidence = weakened(EXACT, Missing.LEAVES_PART, modules);
    put(spec, new Feature(spec.name(), null, evidence, isLacking(modules)));
  }

  public void unknowable(FeatureSpec spec, Module... modules) {
    put(spec, new Feature(spec.name(), null, UNKNOWABLE, isLacking(modules)));
  }

  /** Writes a number; unknowable where it is null or no number. */
  public void put(FeatureSpec spec, @Nullable Double value, EvidenceClass own) {
    put(spec, value, own, false);
  }

  /** Writes a sum over files of a table that may lack some: then it can only be more. */
  public void ofFiles(FeatureSpec spec, Double value, boolean allFiles) {
    put(spec, value, allFiles ? EXACT : LOWER_BOUND, !allFiles);
  }

  /** Writes a number of files, or a mean over them, that is estimated if the table lacks some. */
  public void estimated(FeatureSpec spec, Double value, boolean allFiles) {
    put(spec, value, allFiles ? EXACT : BOUNDED);
  }

  /**
   * Writes a number.
   *
   * @param incomplete records are missing besides those that the modules' states show
   */
  public void put(FeatureSpec spec, @Nullable Double value, EvidenceClass own, boolean incomplete) {
    put(spec, value, own, incomplete, spec.moduleArray());
  }

  /**
   * Writes a number.
   *
   * @param modules those of the declared ones that it was taken from in this run
   */
  public void put(
      FeatureSpec spec,
      @Nullable Double value,
      EvidenceClass own,
      boolean incomplete,
      Module... modules) {
    EvidenceClass evidence = weakened(own, spec.missing(), modules);
    boolean known =
        value != null && !value.isNaN() && !value.isInfinite() && evidence != UNKNOWABLE;
    put(
        spec,
        new Feature(
            spec.name(),
            known ? value : null,
            known ? evidence : UNKNOWABLE,
            incomplete || isLacking(modules)));
  }

  private void put(FeatureSpec spec, Feature feature) {
    features.put(spec.name(), feature);
  }

  private EvidenceClass weakened(EvidenceClass own, Missing missing, Module... modules) {
    EvidenceClass evidence = own;
    for (Module module : modules) {
      switch (requireNonNull(states.get(module), module.logName())) {
        case LACKING ->
            evidence = evidence.worst(missing == Missing.RAISES ? LOWER_BOUND : BOUNDED);
        case CUT -> evidence = evidence.worst(missing == Missing.RAISES ? LOWER_BOUND : UNKNOWABLE);
        case UNDECODED -> evidence = UNKNOWABLE;
        case ABSENT, COMPLETE -> {}
      }
    }
    return evidence;
  }

  /** All records of the modules that the run used are there. */
  public boolean isWhole(Module... modules) {
    for (Module module : modules) {
      if (states.get(module) != LogState.OfModule.ABSENT
          && states.get(module) != LogState.OfModule.COMPLETE) {
        return false;
      }
    }
    return true;
  }

  private boolean isLacking(Module... modules) {
    for (Module module : modules) {
      if (LACKING_STATES.contains(states.get(module))) {
        return true;
      }
    }
    return false;
  }

  public static @Nullable Double valueOf(Count count) {
    return count.isAvailable() ? Double.valueOf((double) count.value()) : null;
  }
}
