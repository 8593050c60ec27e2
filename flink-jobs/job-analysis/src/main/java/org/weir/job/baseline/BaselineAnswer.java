package org.weir.job.baseline;

import org.weir.analysis.compare.Baseline;

/** A fuller baseline of a run that went on with a lesser one. */
public final class BaselineAnswer {

  public String cluster;
  public long jobId;
  public String logId;
  public Baseline baseline;

  /** Leaves the fields to be set next, as Flink does when it reads one. */
  @SuppressWarnings("NullAway.Init")
  public BaselineAnswer() {}

  BaselineAnswer(String cluster, KnownRun run, Baseline baseline) {
    this.cluster = cluster;
    this.jobId = run.jobId;
    this.logId = run.run.logId();
    this.baseline = baseline;
  }
}
