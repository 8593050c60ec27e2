package org.weir.job;

import org.weir.analysis.EarlierRun;

/** What is kept of a run for those of the same application. */
public final class KnownRun {

  public EarlierRun run;
  public long jobId;

  /** Log id that it replaces, or null. */
  public String supersedes;

  /** Runs in the last baseline that it was told. */
  public int answered;

  public KnownRun() {}

  KnownRun(RunSummary summary) {
    this.run = summary.comparable;
    this.jobId = summary.jobId;
    this.supersedes = summary.supersedes;
  }
}
