package org.weir.analysis.load;

import org.weir.wire.StorageLoad;

/**
 * What a file system's devices, or one device, did in one bucket, all jobs together.
 *
 * @param utilMean share of the bucket in which a device was busy, mean over devices, 0 to 1
 * @param utilMax of the busiest device
 * @param closed no further sample is awaited
 * @param allServers every expected server had a sample in it
 */
public record BucketLoad(
    double bytesRead,
    double bytesWritten,
    double utilMean,
    double utilMax,
    boolean closed,
    boolean allServers) {

  /**
   * Of a load message of a file system.
   *
   * @param closedUntil the newest that any message of this file system said, UTC microseconds
   */
  public static BucketLoad of(StorageLoad load, long closedUntil) {
    return new BucketLoad(
        load.getBytesRead(),
        load.getBytesWritten(),
        load.getUtilMean(),
        load.getUtilMax(),
        end(load) <= closedUntil,
        load.getServersReported() >= load.getServersExpected());
  }

  /** End of the bucket, UTC microseconds. */
  public static long end(StorageLoad load) {
    return load.getBucketStart() + Math.round(load.getBucketSeconds() * 1e6);
  }

  /** The same of one device, all of whose requests a server saw. */
  public static BucketLoad ofDevice(
      double bytesRead, double bytesWritten, double util, boolean closed) {
    return new BucketLoad(bytesRead, bytesWritten, util, util, closed, true);
  }
}
