package org.weir.analysis.evidence;

import java.util.Locale;

/** How far a number can be trusted. The order is from best to worst. */
public enum EvidenceClass {
  /** The true value. */
  EXACT,
  /** The true value is this or more. */
  LOWER_BOUND,
  /** The true value is this or less. */
  UPPER_BOUND,
  /** True of what was recorded, or near the truth, in neither direction certain. */
  BOUNDED,
  /** The log does not show it. */
  UNKNOWABLE;

  /** The class of a number computed from two others: a lower and an upper bound make BOUNDED. */
  public EvidenceClass worst(EvidenceClass other) {
    if (this == other || other == EXACT) {
      return this;
    }
    if (this == EXACT) {
      return other;
    }
    return this == UNKNOWABLE || other == UNKNOWABLE ? UNKNOWABLE : BOUNDED;
  }

  /** As it stands in tables and messages: {@code lower_bound}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
