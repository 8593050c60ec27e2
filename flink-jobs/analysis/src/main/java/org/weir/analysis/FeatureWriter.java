package org.weir.analysis;

import static org.weir.analysis.EvidenceClass.BOUNDED;
import static org.weir.analysis.EvidenceClass.EXACT;
import static org.weir.analysis.EvidenceClass.LOWER_BOUND;
import static org.weir.analysis.EvidenceClass.UNKNOWABLE;
import static org.weir.analysis.EvidenceClass.UPPER_BOUND;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Collects features, each with the class that the state of its modules leaves it. */
final class FeatureWriter {
  private static final Set<LogState.OfModule> LACKING_STATES =
      EnumSet.of(LogState.OfModule.LACKING, LogState.OfModule.CUT);

  private final Map<Module, LogState.OfModule> states;
  private final Map<String, Feature> features = new TreeMap<>();

  FeatureWriter(Map<Module, LogState.OfModule> states) {
    this.states = states;
  }

  /** What becomes of a number if records are missing. */
  enum Kind {
    /** It can only be more. */
    TOTAL,
    /** It is true of the recorded part. */
    SHARE
  }

  Map<String, Feature> features() {
    return features;
  }

  Feature feature(String name) {
    return features.get(name);
  }

  Double value(String name) {
    return features.get(name).value();
  }

  /** Sum of sums. */
  void total(String name, List<Count> counts, Module... modules) {
    Count sum = new Count();
    counts.forEach(sum::merge);
    put(name, valueOf(sum), EXACT, Kind.TOTAL, modules);
  }

  void total(String name, Count count, Module... modules) {
    total(name, List.of(count), modules);
  }

  /** Two bounds of a sum: {@code name} and {@code name_upper}. */
  void bounds(String name, Count lower, Count upper, Module... modules) {
    bounds(name, lower, upper, EXACT, modules);
  }

  /**
   * Two bounds of a sum, of which the lower one is worse.
   *
   * @param own what is worse about it
   */
  void bounds(String name, Count lower, Count upper, EvidenceClass own, Module... modules) {
    boolean available = lower.isAvailable() && upper.isAvailable();
    boolean exact = lower.value() == upper.value();
    EvidenceClass evidence = own.worst(exact ? EXACT : LOWER_BOUND);
    put(name, available ? valueOf(lower) : null, evidence, Kind.TOTAL, modules);
    put(
        name + "_upper",
        available ? valueOf(upper) : null,
        exact ? EXACT : UPPER_BOUND,
        Kind.SHARE,
        modules);
  }

  /** Two bounds of a share or mean: {@code name_lower} and {@code name_upper}. */
  void range(String name, Double lower, Double upper, boolean exact, Module... modules) {
    put(name + "_lower", lower, exact ? EXACT : LOWER_BOUND, Kind.SHARE, modules);
    put(name + "_upper", upper, exact ? EXACT : UPPER_BOUND, Kind.SHARE, modules);
  }

  /** A number that is not defined, such as a share of nothing. */
  void undefined(String name, Module... modules) {
    features.put(
        name, new Feature(name, null, weakened(EXACT, Kind.SHARE, modules), isLacking(modules)));
  }

  void unknowable(String name, Module... modules) {
    features.put(name, new Feature(name, null, UNKNOWABLE, isLacking(modules)));
  }

  /** A number; unknowable where it is null or no number. */
  void put(String name, Double value, EvidenceClass own, Kind kind, Module... modules) {
    put(name, value, own, kind, false, modules);
  }

  /**
   * A sum over files.
   *
   * @param allFiles the table has them all; else the sum is of some and can only be more
   */
  void ofFiles(String name, Double value, boolean allFiles, Module... modules) {
    put(name, value, allFiles ? EXACT : LOWER_BOUND, Kind.TOTAL, !allFiles, modules);
  }

  /** A number of files, or a mean over them; estimated where the table has not all of them. */
  void estimated(String name, Double value, boolean allFiles, Kind kind, Module... modules) {
    put(name, value, allFiles ? EXACT : BOUNDED, kind, modules);
  }

  /**
   * A number.
   *
   * @param incomplete records are missing besides those that the modules' states tell of
   */
  void put(
      String name,
      Double value,
      EvidenceClass own,
      Kind kind,
      boolean incomplete,
      Module... modules) {
    EvidenceClass evidence = weakened(own, kind, modules);
    boolean lacking = incomplete || isLacking(modules);
    if (value == null || value.isNaN() || value.isInfinite() || evidence == UNKNOWABLE) {
      features.put(name, new Feature(name, null, UNKNOWABLE, lacking));
    } else {
      features.put(name, new Feature(name, value, evidence, lacking));
    }
  }

  private EvidenceClass weakened(EvidenceClass own, Kind kind, Module... modules) {
    EvidenceClass evidence = own;
    for (Module module : modules) {
      switch (states.get(module)) {
        case LACKING -> evidence = evidence.worst(kind == Kind.TOTAL ? LOWER_BOUND : BOUNDED);
        case CUT -> evidence = evidence.worst(kind == Kind.TOTAL ? LOWER_BOUND : UNKNOWABLE);
        case UNDECODED -> evidence = UNKNOWABLE;
        case ABSENT, COMPLETE -> {}
      }
    }
    return evidence;
  }

  /** All records of the modules that the run used are there. */
  boolean isWhole(Module... modules) {
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

  static Double valueOf(Count count) {
    return count.isAvailable() ? Double.valueOf((double) count.value()) : null;
  }
}
