package org.weir.alerts;

import java.util.Locale;
import org.weir.analysis.judge.Severity;
import org.weir.wire.FindingFact;

/** Holds what a message needs of a finding of a run. */
public final class Found {

  public String rule;
  public String title;
  public Severity severity;

  /** Leaves the fields to be set next, as Flink does when it reads one. */
  @SuppressWarnings("NullAway.Init")
  public Found() {}

  /**
   * Takes it from a result.
   *
   * @throws IllegalArgumentException if it has a severity that Weir does not have
   */
  static Found of(FindingFact fact) {
    Found found = new Found();
    found.rule = fact.getRuleId();
    found.title = fact.getTitle();
    found.severity = Severity.valueOf(fact.getSeverity().toUpperCase(Locale.ROOT));
    return found;
  }
}
