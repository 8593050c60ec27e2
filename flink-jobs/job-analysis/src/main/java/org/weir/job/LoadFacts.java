package org.weir.job;

import org.weir.analysis.LoadState;
import org.weir.analysis.LoadSummary;

/** A LoadSummary that Flink can keep, and whether the wait for more is over. */
public final class LoadFacts {

  public String state;
  public int bucketsExpected;
  public int bucketsClosed;
  public Double utilMean;
  public Double utilMax;
  public Double deviceBytes;
  public double ownBytes;
  public Double othersBytes;
  public boolean waitOver;

  /** Server ticks behind the closed buckets. */
  public long ticks;

  public LoadFacts() {}

  static LoadFacts of(LoadSummary summary, boolean waitOver) {
    LoadFacts facts = new LoadFacts();
    facts.state = summary.state().name();
    facts.bucketsExpected = summary.bucketsExpected();
    facts.bucketsClosed = summary.bucketsClosed();
    facts.utilMean = summary.utilMean();
    facts.utilMax = summary.utilMax();
    facts.deviceBytes = summary.deviceBytes();
    facts.ownBytes = summary.ownBytes();
    facts.othersBytes = summary.othersBytes();
    facts.waitOver = waitOver;
    return facts;
  }

  LoadSummary summary() {
    return new LoadSummary(
        LoadState.valueOf(state),
        bucketsExpected,
        bucketsClosed,
        utilMean,
        utilMax,
        deviceBytes,
        ownBytes,
        othersBytes);
  }
}
