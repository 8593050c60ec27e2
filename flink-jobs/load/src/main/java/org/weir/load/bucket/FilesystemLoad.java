package org.weir.load.bucket;

import java.util.List;
import java.util.Map;
import org.weir.load.sample.Columns;

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

  /** Server samples behind it. */
  public long samples;

  /** The devices that several servers reported, as they count: rows of device_load. */
  public List<ServerBucket> moved;

  public String origin;
  public long sentAt;

  /** Leaves the fields to be set next, as Flink does when it reads one. */
  @SuppressWarnings("NullAway.Init")
  public FilesystemLoad() {}

  /**
   * Puts the servers' shares together.
   *
   * @param shares at least one; in the order of the servers, so that equal shares give equal sums
   *     to the last bit
   * @param devices filled with each device once, in an order of its own
   */
  public static FilesystemLoad of(List<ServerBucket> shares, Map<String, DevicePart> devices) {
    FilesystemLoad load = new FilesystemLoad();
    load.sums = new double[Columns.COUNT];
    load.sentAt = Long.MAX_VALUE;
    load.serversReported = shares.size();
    for (ServerBucket share : shares) {
      load.take(share, devices);
    }
    for (DevicePart device : devices.values()) {
      for (int column = 0; column < Columns.COUNT; column++) {
        load.sums[column] += device.sums()[column];
      }
    }
    UtilStats util =
        UtilStats.of(devices.values().stream().mapToDouble(DevicePart::util).toArray());
    load.utilMean = util.mean();
    load.utilP95 = util.p95();
    load.utilMax = util.max();
    load.moved =
        devices.entrySet().stream()
            .filter(device -> device.getValue().servers() > 1)
            .map(load::row)
            .toList();
    return load;
  }

  private void take(ServerBucket share, Map<String, DevicePart> devices) {
    cluster = share.cluster;
    filesystem = share.filesystem;
    bucketStart = share.bucketStart;
    bucketSeconds = share.bucketSeconds;
    origin = share.origin;
    samples += share.samples;
    sentAt = Math.min(sentAt, share.sentAt);
    for (int device = 0; device < share.deviceIds.length; device++) {
      devices.merge(
          share.deviceIds[device],
          DevicePart.of(share, device),
          (first, second) -> first.and(second, bucketSeconds));
    }
  }

  /** Its version, the samples of all these servers, is above that of each server's own row. */
  private ServerBucket row(Map.Entry<String, DevicePart> device) {
    ServerBucket row = new ServerBucket();
    row.cluster = cluster;
    row.server = device.getValue().server();
    row.bucketStart = bucketStart;
    row.bucketSeconds = bucketSeconds;
    row.deviceIds = new String[] {device.getKey()};
    row.sums = device.getValue().sums();
    row.sampledSeconds = new double[] {device.getValue().sampledSeconds()};
    row.samples = device.getValue().samples();
    row.origin = origin;
    row.sentAt = sentAt;
    return row;
  }
}
