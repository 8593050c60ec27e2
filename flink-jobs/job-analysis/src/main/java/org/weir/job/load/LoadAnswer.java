package org.weir.job.load;

import org.weir.job.run.LoadFacts;
import org.weir.job.run.RunSummary;

/** The load beside a run. */
public final class LoadAnswer {

  public String cluster;
  public long jobId;
  public String logId;

  /** Which state of the run this is about: the batches behind it, and the site of their files. */
  public int batches;

  public int siteRevision;

  public LoadFacts facts;

  /** Leaves the fields to be set next, as Flink does when it reads one. */
  @SuppressWarnings("NullAway.Init")
  public LoadAnswer() {}

  LoadAnswer(LoadPart part, LoadFacts facts) {
    this.cluster = part.cluster;
    this.jobId = part.jobId;
    this.logId = part.logId;
    this.batches = part.batches;
    this.siteRevision = part.siteRevision;
    this.facts = facts;
  }

  public long state() {
    return RunSummary.state(batches, siteRevision);
  }

  /** Whether it says at least as much as another answer for the same run. */
  public boolean saysAtLeastAsMuchAs(LoadAnswer other) {
    return state() > other.state()
        || state() == other.state() && facts.samples >= other.facts.samples;
  }
}
