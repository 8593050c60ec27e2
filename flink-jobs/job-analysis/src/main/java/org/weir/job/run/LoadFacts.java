package org.weir.job.run;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.weir.analysis.load.DeviceLoad;
import org.weir.analysis.load.LoadState;
import org.weir.analysis.load.LoadSummary;

/** A LoadSummary that Flink can keep, and whether the wait for more is over. */
public final class LoadFacts {

  public String state;
  public int bucketsExpected;
  public int bucketsClosed;
  public @Nullable Double utilMean;
  public @Nullable Double utilMax;
  public @Nullable Double deviceBytes;
  public double ownBytes;
  public @Nullable Double othersBytes;
  public String[] devices = {};

  /** DeviceLoad, field by field; null where there is none. */
  public @Nullable String busiest;

  public double busiestUtil;
  public double busiestBytes;
  public double busiestOthersBytes;
  public boolean waitOver;

  /** Server samples behind the closed buckets. */
  public long samples;

  /** Leaves the fields to be set next, as Flink does when it reads one. */
  @SuppressWarnings("NullAway.Init")
  public LoadFacts() {}

  public static LoadFacts of(LoadSummary summary, boolean waitOver) {
    LoadFacts facts = new LoadFacts();
    facts.state = summary.state().name();
    facts.bucketsExpected = summary.bucketsExpected();
    facts.bucketsClosed = summary.bucketsClosed();
    facts.utilMean = summary.utilMean();
    facts.utilMax = summary.utilMax();
    facts.deviceBytes = summary.deviceBytes();
    facts.ownBytes = summary.ownBytes();
    facts.othersBytes = summary.othersBytes();
    facts.devices = summary.devices().toArray(String[]::new);
    if (summary.busiest() != null) {
      facts.busiest = summary.busiest().name();
      facts.busiestUtil = summary.busiest().util();
      facts.busiestBytes = summary.busiest().bytes();
      facts.busiestOthersBytes = summary.busiest().othersBytes();
    }
    facts.waitOver = waitOver;
    return facts;
  }

  public LoadSummary summary() {
    return new LoadSummary(
        LoadState.valueOf(state),
        bucketsExpected,
        bucketsClosed,
        utilMean,
        utilMax,
        deviceBytes,
        ownBytes,
        othersBytes,
        List.of(devices),
        busiest == null
            ? null
            : new DeviceLoad(busiest, busiestUtil, busiestBytes, busiestOthersBytes));
  }
}
