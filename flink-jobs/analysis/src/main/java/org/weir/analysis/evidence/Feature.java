package org.weir.analysis.evidence;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonIgnore;
import org.jspecify.annotations.Nullable;

/**
 * A named number of a run.
 *
 * @param name as in {@code FeatureCatalog} and in the columns of the table runs
 * @param value in the catalog's unit; null where it is unknown ({@link EvidenceClass#UNKNOWABLE})
 *     or where the number is not defined, such as the effective ranks of a module that moved
 *     nothing
 * @param evidence how far to trust the value
 * @param incomplete the class was weakened because the log lacks records, so that a rule which does
 *     not hold for the recorded part may hold for the run
 */
public record Feature(
    String name, @Nullable Double value, EvidenceClass evidence, boolean incomplete) {

  /** False where a rule has to treat the number as unknown. */
  @JsonIgnore
  public boolean isKnown() {
    // Nothing seen in an incomplete module is no proof that there was nothing.
    return value != null && !(incomplete && value == 0);
  }

  /**
   * Returns the value to a caller who knows that there is one.
   *
   * @throws NullPointerException if there is none; names the feature
   */
  public double requiredValue() {
    return requireNonNull(value, name);
  }
}
