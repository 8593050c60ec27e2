package org.weir.analysis.load;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.weir.analysis.traffic.OwnDevice;

/**
 * Answers what a file system or server did beside a run, by the buckets that are known of it and as
 * if no more of them would arrive.
 *
 * @param buckets by their start, UTC microseconds
 * @param closedUntil buckets that end by then are final
 */
public record KnownLoad(Map<Long, LoadBucket> buckets, long closedUntil) {

  /** Summarizes what the file system did in the buckets of a run's window. */
  public LoadSummary beside(LoadWindow window) {
    return summary(window, bucket -> bucket.forAnalysis(closedUntil));
  }

  /** Summarizes what one of the server's devices did in the buckets of a run's window. */
  public LoadSummary beside(LoadWindow window, OwnDevice device) {
    return summary(window.of(device), bucket -> bucket.forAnalysis(device.id(), closedUntil));
  }

  private LoadSummary summary(LoadWindow window, Function<LoadBucket, BucketLoad> load) {
    Map<Long, BucketLoad> loads = new HashMap<>();
    for (long start : window.bucketStarts()) {
      LoadBucket bucket = buckets.get(start);
      if (bucket != null) {
        loads.put(start, load.apply(bucket));
      }
    }
    return window.summarize(loads, true);
  }
}
