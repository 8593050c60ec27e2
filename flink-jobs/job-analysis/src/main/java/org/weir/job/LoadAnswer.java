package org.weir.job;

/** The load beside a run. */
public final class LoadAnswer {

  public String cluster;
  public long jobId;
  public String logId;

  /** Batches behind the run that asked. */
  public int batches;

  public LoadFacts facts;

  public LoadAnswer() {}

  LoadAnswer(LoadPart part, LoadFacts facts) {
    this.cluster = part.cluster;
    this.jobId = part.jobId;
    this.logId = part.logId;
    this.batches = part.batches;
    this.facts = facts;
  }

  /** Of two answers for one run. */
  boolean saysAtLeastAsMuchAs(LoadAnswer other) {
    return batches > other.batches || batches == other.batches && facts.ticks >= other.facts.ticks;
  }
}
