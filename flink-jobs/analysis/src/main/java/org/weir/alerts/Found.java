package org.weir.alerts;

import java.util.Locale;
import org.weir.analysis.Severity;
import org.weir.wire.FindingFact;

/** Holds what a message needs of a finding of a run. */
public final class Found {

  public String rule;
  public String title;
  public String severity;

  public Found() {}

  static Found of(FindingFact fact) {
    Found found = new Found();
    found.rule = fact.getRuleId();
    found.title = fact.getTitle();
    found.severity = fact.getSeverity();
    return found;
  }

  public Severity severity() {
    return Severity.valueOf(severity.toUpperCase(Locale.ROOT));
  }
}
