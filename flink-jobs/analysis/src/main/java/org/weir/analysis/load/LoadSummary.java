package org.weir.analysis.load;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The load beside a run, in the seconds in which it moved bytes.
 *
 * @param bucketsExpected of those seconds
 * @param bucketsClosed of them
 * @param utilMean of the closed ones, 0 to 1; null if none
 * @param utilMax of the busiest device in the busiest closed bucket; null if none
 * @param deviceBytes both directions, closed buckets; null if none
 * @param ownBytes both directions, what the run itself moved there
 * @param othersBytes device bytes that cannot be the run's own (a lower bound); null if no bucket
 *     closed
 * @param devices ids of those that hold the run's files, which all the numbers are of; empty where
 *     they are not known and the numbers are of the whole file system
 * @param busiest of all devices and other file systems that the run went through, the one that
 *     others kept busiest; null where none is known, or others moved nothing
 */
public record LoadSummary(
    LoadState state,
    int bucketsExpected,
    int bucketsClosed,
    @Nullable Double utilMean,
    @Nullable Double utilMax,
    @Nullable Double deviceBytes,
    double ownBytes,
    @Nullable Double othersBytes,
    List<String> devices,
    @Nullable DeviceLoad busiest) {

  /** Summarizes a whole file system or one device. */
  public LoadSummary(
      LoadState state,
      int bucketsExpected,
      int bucketsClosed,
      @Nullable Double utilMean,
      @Nullable Double utilMax,
      @Nullable Double deviceBytes,
      double ownBytes,
      @Nullable Double othersBytes) {
    this(
        state,
        bucketsExpected,
        bucketsClosed,
        utilMean,
        utilMax,
        deviceBytes,
        ownBytes,
        othersBytes,
        List.of(),
        null);
  }

  LoadSummary with(List<String> ofDevices, @Nullable DeviceLoad othersKeptBusiest) {
    return new LoadSummary(
        state,
        bucketsExpected,
        bucketsClosed,
        utilMean,
        utilMax,
        deviceBytes,
        ownBytes,
        othersBytes,
        ofDevices,
        othersKeptBusiest);
  }

  public static LoadSummary noFilesystem() {
    return new LoadSummary(LoadState.NO_FILESYSTEM, 0, 0, null, null, null, 0, null);
  }

  /** Every bucket is closed, or there is none to ask for. */
  public boolean isKnownInFull() {
    return state == LoadState.CLOSED || bucketsExpected == 0;
  }

  /** Nothing more will come. */
  public boolean isFinal(boolean waitOver) {
    return waitOver || isKnownInFull();
  }
}
