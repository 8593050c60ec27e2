package org.weir.analysis.rules;

/**
 * From how many node-hours lost by a slow run a finding is more than info. A field that is null has
 * its default: 1, 10 and 100.
 */
public record SeverityThresholds(Double notice, Double warning, Double critical) {
  public static final SeverityThresholds DEFAULT = new SeverityThresholds(null, null, null);

  public SeverityThresholds {
    notice = notice == null ? 1 : notice;
    warning = warning == null ? 10 : warning;
    critical = critical == null ? 100 : critical;
  }
}
