package org.weir.storage;

import java.util.HashMap;
import java.util.Map;

/** What one bucket adds to the hour of a server, its devices, or a file system. */
public final class HourPart {

  /** Columns of a device in {@link #change}: the sums and the sampled seconds. */
  static final int DEVICE_COLUMNS = Columns.COUNT + 1;

  public String cluster;

  /** server or filesystem. */
  public String kind;

  public String subject;
  public String origin;

  /** Microseconds. */
  public long bucketStart;

  public double bucketSeconds;

  /** {@link Columns#COUNT} sums. */
  public double[] sums;

  public double utilMean;
  public double utilMax;
  public long ticks;

  /** Ticks of what was told of this bucket before, which {@link #change} leads on from. */
  public long ticksBefore;

  /** Of a server; empty for a file system. */
  public String[] deviceIds;

  /**
   * Difference to what was told of this bucket before, device after device. Whole bytes and
   * millionths of requests and seconds, so that what is added can be taken away again without a
   * trace.
   */
  public long[] change;

  public HourPart() {}

  /**
   * Of a server.
   *
   * @param before what was told of this bucket before, or null
   */
  static HourPart of(ServerBucket bucket, ServerBucket before) {
    HourPart part = new HourPart();
    part.cluster = bucket.cluster;
    part.kind = "server";
    part.subject = bucket.server;
    part.origin = bucket.origin;
    part.bucketStart = bucket.bucketStart;
    part.bucketSeconds = bucket.bucketSeconds;
    part.sums = bucket.totals();
    UtilStats util = UtilStats.of(bucket.util());
    part.utilMean = util.mean();
    part.utilMax = util.max();
    part.ticks = bucket.ticks;
    part.ticksBefore = before == null ? 0 : before.ticks;
    Map<String, long[]> devices = new HashMap<>();
    add(bucket, 1, devices);
    add(before, -1, devices);
    part.setChange(devices);
    return part;
  }

  static HourPart of(FilesystemLoad load) {
    HourPart part = new HourPart();
    part.cluster = load.cluster;
    part.kind = "filesystem";
    part.subject = load.filesystem;
    part.origin = load.origin;
    part.bucketStart = load.bucketStart;
    part.bucketSeconds = load.bucketSeconds;
    part.sums = load.sums;
    part.utilMean = load.utilMean;
    part.utilMax = load.utilMax;
    part.ticks = load.ticks;
    part.setChange(Map.of());
    return part;
  }

  private static void add(ServerBucket bucket, int sign, Map<String, long[]> devices) {
    for (int device = 0; bucket != null && device < bucket.deviceIds.length; device++) {
      long[] sums =
          devices.computeIfAbsent(bucket.deviceIds[device], id -> new long[DEVICE_COLUMNS]);
      for (int column = 0; column < Columns.COUNT; column++) {
        double value = bucket.sums[device * Columns.COUNT + column];
        sums[column] += sign * Math.round(value * unit(column));
      }
      sums[Columns.COUNT] += sign * Math.round(bucket.sampledSeconds[device] * unit(Columns.COUNT));
    }
  }

  /** How many whole units one byte, request or second has; a rate can give parts of a request. */
  static double unit(int column) {
    return column == Columns.BYTES_READ || column == Columns.BYTES_WRITTEN ? 1 : 1e6;
  }

  private void setChange(Map<String, long[]> devices) {
    deviceIds = devices.keySet().toArray(String[]::new);
    change = new long[deviceIds.length * DEVICE_COLUMNS];
    for (int device = 0; device < deviceIds.length; device++) {
      System.arraycopy(
          devices.get(deviceIds[device]), 0, change, device * DEVICE_COLUMNS, DEVICE_COLUMNS);
    }
  }

  String key() {
    return String.join("/", cluster, kind, subject, origin, Double.toString(bucketSeconds));
  }
}
