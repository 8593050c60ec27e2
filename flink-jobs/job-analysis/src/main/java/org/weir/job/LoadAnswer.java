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

  LoadAnswer(LoadAsk ask, LoadFacts facts) {
    this.cluster = ask.cluster;
    this.jobId = ask.jobId;
    this.logId = ask.logId;
    this.batches = ask.batches;
    this.facts = facts;
  }

  /** Of two answers for one run. */
  boolean saysAtLeastAsMuchAs(LoadAnswer other) {
    return batches > other.batches || batches == other.batches && facts.ticks >= other.facts.ticks;
  }
}
