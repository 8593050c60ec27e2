package org.weir.alerts;

import java.util.List;
import java.util.Locale;
import org.weir.wire.AlertReport;
import org.weir.wire.CaseFact;

/** What a desk has decided. */
public sealed interface Outcome {

  /** Why a message is not sent. */
  enum Reason {
    UNWANTED,
    EXCLUDED,
    BELOW_THRESHOLDS,
    /** The storage was at fault. */
    STORAGE,
    MUTED,
    /** Its cases are open, and it is too early for a reminder. */
    SENT_BEFORE,
    /** The user has had as many messages today as a day may bring. */
    LIMIT;

    /** Whether the digest reports it later. */
    boolean isForDigest() {
      return this == STORAGE || this == LIMIT;
    }

    /** As rows and messages have it. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * A message to the user.
   *
   * @param kind finding, reminder, fixed or digest
   * @param unit what it is about, as schemas/README says for each kind
   * @param cases that it names, as they were before it, the weightiest first
   * @param jobs that prove it, those that lost most first; not all of a large array
   * @param reports that explain some of their runs
   * @param nodeHoursLost by the unit
   * @param settledAt UTC milliseconds at which the last of its results was published; 0 if unknown
   */
  record Message(
      String kind,
      String unit,
      List<CaseFact> cases,
      List<JobFacts> jobs,
      List<AlertReport> reports,
      double nodeHoursLost,
      long settledAt)
      implements Outcome {}

  /** A message that is not sent, and why. */
  record Held(String unit, Reason reason, List<String> cases, int jobs, double nodeHoursLost)
      implements Outcome {}

  /** A case has changed. */
  record Changed(CaseFacts it) implements Outcome {}
}
