package org.weir.job.evaluate;

import org.weir.wire.JobManifest;
import org.weir.wire.SchedulerJob;

/** Computes the versions of messages, which decide between two about the same thing. */
public final class InputVersions {

  private InputVersions() {}

  /** Returns the rank of the state, then its second: a later state wins whatever the clocks say. */
  public static long of(SchedulerJob job) {
    return (long) job.getStateRank() << 32 | Math.max(0, Math.min(job.getVersion(), 0xFFFFFFFFL));
  }

  /**
   * Returns twice the Unix second of the scan, and one more for a final one: of two of the same
   * second the final one wins, whichever comes first.
   */
  public static long of(JobManifest manifest) {
    return 2 * secondOf(manifest) + (manifest.getFinal$() ? 1 : 0);
  }

  /** Returns the Unix second of the scan. */
  public static long secondOf(JobManifest manifest) {
    return Math.max(0, Math.floorDiv(manifest.getScanTime(), 1_000_000L));
  }
}
