package org.weir.storage;

/** What a server's devices did in one bucket. Times in microseconds. */
public final class ServerBucket {

  public String cluster;
  public String server;
  public long bucketStart;
  public double bucketSeconds;

  /** Sorted. */
  public String[] deviceIds;

  /** Device after device, {@link Columns#COUNT} sums each. */
  public double[] sums;

  /** Share of the sampled time in which each device was busy, 0 to 1. */
  public double[] util;

  /** Ticks of the bucket that gave values: the version of its rows. */
  public long ticks;

  /** Every bucket of the server that ends by this time is complete, late ticks apart. */
  public long closedUntil;

  public String origin;

  /** Kafka timestamp of the oldest message behind it. */
  public long sentAt;

  public ServerBucket() {}

  /** Sum of a column over the devices. */
  double total(int column) {
    double total = 0;
    for (int device = 0; device < deviceIds.length; device++) {
      total += sums[device * Columns.COUNT + column];
    }
    return total;
  }
}
