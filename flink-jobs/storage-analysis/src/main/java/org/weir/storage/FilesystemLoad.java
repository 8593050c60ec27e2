package org.weir.storage;

import java.util.Arrays;
import java.util.Comparator;

/** What a file system did in one bucket: sums over its devices. Times in microseconds. */
public final class FilesystemLoad {

  public String cluster;
  public String filesystem;
  public long bucketStart;
  public double bucketSeconds;

  /** {@link Columns#COUNT} sums. */
  public double[] sums;

  public double utilMean;
  public double utilP95;
  public double utilMax;
  public long closedUntil;
  public int serversReported;
  public int serversExpected;

  /** Server ticks behind it. */
  public long ticks;

  public String origin;
  public long sentAt;

  public FilesystemLoad() {}

  /** Adds the servers' shares up; at least one. */
  static FilesystemLoad of(FilesystemBucket bucket, long closedUntil, int serversExpected) {
    FilesystemLoad load = new FilesystemLoad();
    load.sums = new double[Columns.COUNT];
    load.sentAt = Long.MAX_VALUE;
    // In the order of the servers, so that equal shares give equal sums to the last bit.
    FilesystemShare[] shares =
        bucket.shares.values().stream()
            .sorted(Comparator.comparing(share -> share.server))
            .toArray(FilesystemShare[]::new);
    double[] util = new double[0];
    for (FilesystemShare share : shares) {
      load.add(share);
      util = concat(util, share.util);
    }
    UtilStats stats = UtilStats.of(util);
    load.utilMean = stats.mean();
    load.utilP95 = stats.p95();
    load.utilMax = stats.max();
    load.closedUntil = closedUntil;
    load.serversReported = shares.length;
    load.serversExpected = serversExpected;
    return load;
  }

  private void add(FilesystemShare share) {
    cluster = share.cluster;
    filesystem = share.filesystem;
    bucketStart = share.bucketStart;
    bucketSeconds = share.bucketSeconds;
    origin = share.origin;
    ticks += share.ticks;
    sentAt = Math.min(sentAt, share.sentAt);
    for (int column = 0; column < Columns.COUNT; column++) {
      sums[column] += share.sums[column];
    }
  }

  private static double[] concat(double[] first, double[] second) {
    double[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }
}
