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

  /** Returns the Unix second of the scan. */
  public static long of(JobManifest manifest) {
    return Math.max(0, Math.floorDiv(manifest.getScanTime(), 1_000_000L));
  }
}
