package org.weir.analysis.judge;

import static java.util.Objects.requireNonNull;

import java.util.Locale;
import org.weir.analysis.ruleengine.SeverityThresholds;
import org.weir.analysis.run.RunFeatures;
import org.weir.analysis.slowness.Cost;
import org.weir.site.Site;

/** How much a finding matters: by its run's cost, never by its pattern. */
public enum Severity {
  INFO,
  NOTICE,
  WARNING,
  CRITICAL;

  /** A warning is critical from this share of the run time on. */
  private static final double CRITICAL_SHARE = 0.25;

  /** Without nodes, a warning takes this many seconds of I/O and a quarter of the run time. */
  private static final double WARNING_SECONDS = 600;

  /** As it stands in tables and messages. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Grades a finding of a run with this cost; info where slow or cost are unknown. */
  public static Severity of(Cost cost, double runTimeSeconds, SeverityThresholds thresholds) {
    if (!Boolean.TRUE.equals(cost.slow()) || cost.nodeHoursLost() == null) {
      return INFO;
    }
    double lost = cost.nodeHoursLost();
    double share =
        requireNonNull(cost.timeLostSeconds(), "node-hours were lost, and no time")
            / runTimeSeconds;
    boolean warning = lost >= thresholds.warning();
    if (lost >= thresholds.critical() || (warning && share >= CRITICAL_SHARE)) {
      return CRITICAL;
    }
    return warning ? WARNING : lost >= thresholds.notice() ? NOTICE : INFO;
  }

  /**
   * Returns the severity where the job's nodes are unknown, so that no node-hours can be counted:
   * by the I/O time, the most that can be lost. It never becomes critical.
   */
  public static Severity withoutNodes(RunFeatures run, Site site) {
    Double seconds = run.value("io_time_seconds");
    double runTime = run.runTimeSeconds();
    if (seconds == null
        || run.hasOverlappingTimes()
        || seconds < site.slowThresholdSeconds()
        || !(seconds >= site.slowThresholdShare() * runTime)) {
      return INFO;
    }
    return seconds >= WARNING_SECONDS && seconds >= CRITICAL_SHARE * runTime ? WARNING : NOTICE;
  }
}
