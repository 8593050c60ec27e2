package org.weir.analysis;

import java.util.Locale;
import org.weir.analysis.rules.SeverityThresholds;

/** How much a finding matters: by its run's cost, never by its pattern. */
public enum Severity {
  INFO,
  NOTICE,
  WARNING,
  CRITICAL;

  /** A warning is critical from this share of the run time on. */
  private static final double CRITICAL_SHARE = 0.25;

  /** As it stands in tables and messages. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Of a finding of a run with this cost; info where slow or cost are unknown. */
  public static Severity of(Cost cost, double runTimeSeconds, SeverityThresholds thresholds) {
    if (!Boolean.TRUE.equals(cost.slow()) || cost.nodeHoursLost() == null) {
      return INFO;
    }
    double lost = cost.nodeHoursLost();
    double share = cost.timeLostSeconds() / runTimeSeconds;
    boolean warning = lost >= thresholds.warning();
    if (lost >= thresholds.critical() || (warning && share >= CRITICAL_SHARE)) {
      return CRITICAL;
    }
    return warning ? WARNING : lost >= thresholds.notice() ? NOTICE : INFO;
  }
}
