package org.weir.storage.hours;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.weir.load.bucket.FilesystemLoad;
import org.weir.load.bucket.ServerBucket;
import org.weir.load.bucket.UtilStats;
import org.weir.load.sample.Columns;

/** What one bucket adds to the hour of a server, its devices, or a file system. */
public final class HourPart {

  /** Columns of a device in {@link #change}: the sums and the sampled seconds. */
  public static final int DEVICE_COLUMNS = Columns.COUNT + 1;

  public static final String FILESYSTEM = "filesystem";

  public String cluster;

  /** server or {@link #FILESYSTEM}. */
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
  public long samples;

  /** Samples of what was emitted of this bucket before, which {@link #change} leads on from. */
  public long samplesBefore;

  /** The server's devices, some twice; empty for a file system. */
  public String[] deviceIds;

  /**
   * What is to be added to these devices: the bucket, and less what was emitted of it before. Whole
   * bytes and millionths of requests and seconds, so that what is added can be taken away again
   * without a trace.
   */
  public long[] change;

  /** Leaves the fields to be set next, as Flink does when it reads one. */
  @SuppressWarnings("NullAway.Init")
  public HourPart() {}

  /**
   * Makes the part of a server.
   *
   * @param before what was told of this bucket before; null where nothing was
   */
  public static HourPart of(ServerBucket bucket, @Nullable ServerBucket before) {
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
    part.samples = bucket.samples;
    part.samplesBefore = before == null ? 0 : before.samples;
    part.deviceIds = bucket.deviceIds;
    part.change = units(bucket, 1);
    if (before != null) {
      part.deviceIds = concat(part.deviceIds, before.deviceIds);
      part.change = concat(part.change, units(before, -1));
    }
    return part;
  }

  public static HourPart of(FilesystemLoad load) {
    HourPart part = new HourPart();
    part.cluster = load.cluster;
    part.kind = FILESYSTEM;
    part.subject = load.filesystem;
    part.origin = load.origin;
    part.bucketStart = load.bucketStart;
    part.bucketSeconds = load.bucketSeconds;
    part.sums = load.sums;
    part.utilMean = load.utilMean;
    part.utilMax = load.utilMax;
    part.samples = load.samples;
    part.deviceIds = new String[0];
    part.change = new long[0];
    return part;
  }

  private static long[] units(ServerBucket bucket, int sign) {
    long[] units = new long[bucket.deviceIds.length * DEVICE_COLUMNS];
    for (int device = 0; device < bucket.deviceIds.length; device++) {
      int at = device * DEVICE_COLUMNS;
      for (int column = 0; column < Columns.COUNT; column++) {
        double value = bucket.sums[device * Columns.COUNT + column];
        units[at + column] = sign * Math.round(value * unit(column));
      }
      units[at + Columns.COUNT] =
          sign * Math.round(bucket.sampledSeconds[device] * unit(Columns.COUNT));
    }
    return units;
  }

  private static String[] concat(String[] first, String[] second) {
    String[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  private static long[] concat(long[] first, long[] second) {
    long[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  /** How many whole units one byte, request or second has; a rate can give parts of a request. */
  public static double unit(int column) {
    return column == Columns.BYTES_READ || column == Columns.BYTES_WRITTEN ? 1 : 1e6;
  }

  public String key() {
    return String.join("/", cluster, kind, subject, origin, Double.toString(bucketSeconds));
  }
}
