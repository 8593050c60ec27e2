package org.weir.load.sample;

import java.util.List;

/**
 * The values of a device in a sample, in the order in which this job holds them. State holds as
 * many a device: with another column it needs another name.
 */
public final class Columns {

  public static final List<String> NAMES =
      List.of(
          "reads",
          "writes",
          "bytes_read",
          "bytes_written",
          "busy_seconds",
          "weighted_queue_seconds",
          "read_wait_seconds",
          "write_wait_seconds");

  public static final int COUNT = NAMES.size();
  public static final int READS = 0;
  public static final int WRITES = 1;
  public static final int BYTES_READ = 2;
  public static final int BYTES_WRITTEN = 3;
  public static final int BUSY_SECONDS = 4;
  public static final int READ_WAIT_SECONDS = 6;
  public static final int WRITE_WAIT_SECONDS = 7;

  private Columns() {}

  /** Utilization, 0 to 1. */
  public static double util(double busySeconds, double sampledSeconds) {
    return sampledSeconds > 0 ? Math.max(0, Math.min(1, busySeconds / sampledSeconds)) : 0;
  }
}
