package org.weir.job.baseline;

import org.weir.analysis.compare.EarlierRun;

/** What is kept of a run for those of the same application. */
public final class KnownRun {

  public EarlierRun run;
  public long jobId;

  /** Runs in the last baseline that was sent to it. */
  public int answered;

  /** Leaves the fields to be set next, as Flink does when it reads one. */
  @SuppressWarnings("NullAway.Init")
  public KnownRun() {}

  KnownRun(EarlierRun run, long jobId) {
    this.run = run;
    this.jobId = jobId;
  }
}
