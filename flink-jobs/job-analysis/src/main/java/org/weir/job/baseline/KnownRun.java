package org.weir.job.baseline;

import org.weir.analysis.compare.EarlierRun;
import org.weir.job.run.RunSummary;

/** What is kept of a run for those of the same application. */
public final class KnownRun {

  public EarlierRun run;
  public long jobId;

  /** Runs in the last baseline that it was told. */
  public int answered;

  public KnownRun() {}

  KnownRun(RunSummary summary) {
    this.run = summary.comparable;
    this.jobId = summary.jobId;
  }
}
