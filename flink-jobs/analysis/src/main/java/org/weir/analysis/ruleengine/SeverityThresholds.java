package org.weir.analysis.ruleengine;

import org.jspecify.annotations.Nullable;

/** From how many node-hours lost by a slow run a finding is more than info. */
public record SeverityThresholds(Double notice, Double warning, Double critical) {
  public static final SeverityThresholds DEFAULT = new SeverityThresholds(null, null, null);

  /** Takes what a rule file states; null for a field that it leaves out. */
  public SeverityThresholds(
      @Nullable Double notice, @Nullable Double warning, @Nullable Double critical) {
    this.notice = notice == null ? 1 : notice;
    this.warning = warning == null ? 10 : warning;
    this.critical = critical == null ? 100 : critical;
  }
}
