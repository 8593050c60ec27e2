package org.weir.load.bucket;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Set;
import org.weir.load.sample.Columns;
import org.weir.wire.PackedColumns;

/** What a server's devices did in one bucket. Times in microseconds. */
public final class ServerBucket {

  public String cluster;
  public String server;

  /** Empty, or the file system to which all the devices belong. */
  public String filesystem = "";

  public long bucketStart;
  public double bucketSeconds;

  /** In the order in which they came; equal samples give equal buckets to the last bit. */
  public String[] deviceIds;

  /** Device after device, {@link Columns#COUNT} sums each. */
  public double[] sums;

  /** How long each device was sampled. */
  public double[] sampledSeconds;

  /** Samples of the bucket that gave values: the version of its rows. */
  public long samples;

  /** Devices whose counters started over within it. */
  public long restarts;

  /** Every bucket of the server that ends by this time is complete, late samples apart. */
  public long closedUntil;

  /**
   * When its server began anew as its clock had been ahead, microseconds; 0 if it never did. What
   * it had sent of later buckets and of {@link #closedUntil} is void.
   */
  public long begunAt;

  public String origin;

  /** Kafka timestamp of the oldest message behind it. */
  public long sentAt;

  /** Leaves the fields to be set next, as Flink does when it reads one. */
  @SuppressWarnings("NullAway.Init")
  public ServerBucket() {}

  /** Sum of a column over the devices. */
  public double total(int column) {
    double total = 0;
    for (int device = 0; device < deviceIds.length; device++) {
      total += sums[device * Columns.COUNT + column];
    }
    return total;
  }

  public double[] totals() {
    double[] totals = new double[Columns.COUNT];
    Arrays.setAll(totals, this::total);
    return totals;
  }

  /** Share of the sampled time in which each device was busy, 0 to 1. */
  public double[] util() {
    double[] util = new double[deviceIds.length];
    Arrays.setAll(
        util,
        device ->
            Columns.util(
                sums[device * Columns.COUNT + Columns.BUSY_SECONDS], sampledSeconds[device]));
    return util;
  }

  /** Column after column, as the wire wants them: the sums and the utilization. */
  public ByteBuffer packed() {
    int devices = deviceIds.length;
    double[] values = new double[devices * (Columns.COUNT + 1)];
    for (int device = 0; device < devices; device++) {
      for (int column = 0; column < Columns.COUNT; column++) {
        values[column * devices + device] = sums[device * Columns.COUNT + column];
      }
    }
    System.arraycopy(util(), 0, values, Columns.COUNT * devices, devices);
    return PackedColumns.pack(values);
  }

  /** The part of it that belongs to a file system with these devices. */
  public ServerBucket shareOf(String filesystem, Set<String> devices) {
    int[] theirs = new int[deviceIds.length];
    int found = 0;
    for (int device = 0; device < deviceIds.length; device++) {
      if (devices.contains(deviceIds[device])) {
        theirs[found++] = device;
      }
    }
    ServerBucket share = new ServerBucket();
    share.cluster = cluster;
    share.server = server;
    share.filesystem = filesystem;
    share.bucketStart = bucketStart;
    share.bucketSeconds = bucketSeconds;
    share.samples = samples;
    share.closedUntil = closedUntil;
    share.begunAt = begunAt;
    share.origin = origin;
    share.sentAt = sentAt;
    share.deviceIds = new String[found];
    share.sums = new double[found * Columns.COUNT];
    share.sampledSeconds = new double[found];
    for (int device = 0; device < found; device++) {
      share.deviceIds[device] = deviceIds[theirs[device]];
      share.sampledSeconds[device] = sampledSeconds[theirs[device]];
      System.arraycopy(
          sums, theirs[device] * Columns.COUNT, share.sums, device * Columns.COUNT, Columns.COUNT);
    }
    return share;
  }

  /** Returns the key of what makes up one file system's buckets of one width. */
  public String filesystemKey() {
    return String.join("/", cluster, filesystem, origin, Double.toString(bucketSeconds));
  }
}
