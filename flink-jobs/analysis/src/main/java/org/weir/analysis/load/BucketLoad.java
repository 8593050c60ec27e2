package org.weir.analysis.load;

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

  /** Returns the load of one device, all of whose requests a server saw. */
  public static BucketLoad ofDevice(
      double bytesRead, double bytesWritten, double util, boolean closed) {
    return new BucketLoad(bytesRead, bytesWritten, util, util, closed, true);
  }
}
