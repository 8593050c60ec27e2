package org.weir.analysis.load;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.weir.wire.PackedColumns;
import org.weir.wire.StorageLoad;
import org.weir.wire.WireException;

/** Holds the load of a file system or server in one bucket, for long. Times in UTC microseconds. */
public final class LoadBucket {

  /** State holds as many a device: with another column it needs another name. */
  private static final String[] DEVICE_COLUMNS = {"bytes_read", "bytes_written", "util"};

  public long start;
  public double bucketSeconds;
  public double bytesRead;
  public double bytesWritten;
  public double utilMean;
  public double utilMax;
  public boolean allServers;
  public long version;
  public long closedUntil;

  /** The server's devices; empty for a file system. */
  public String[] devices = {};

  /** Device after device: bytes read and written, util. Single precision: there are many. */
  public float[] deviceValues = {};

  public LoadBucket() {}

  /**
   * Reads a message of weir.storage.load.
   *
   * @throws WireException if the columns of its devices are not there or do not fit
   */
  public static LoadBucket of(StorageLoad load) throws WireException {
    LoadBucket bucket = new LoadBucket();
    bucket.start = load.getBucketStart();
    bucket.bucketSeconds = load.getBucketSeconds();
    bucket.bytesRead = load.getBytesRead();
    bucket.bytesWritten = load.getBytesWritten();
    bucket.utilMean = load.getUtilMean();
    bucket.utilMax = load.getUtilMax();
    bucket.allServers = load.getServersReported() >= load.getServersExpected();
    bucket.version = load.getVersion();
    bucket.closedUntil = load.getClosedUntil();
    bucket.devices = load.getDeviceIds().toArray(String[]::new);
    bucket.deviceValues = deviceValues(load);
    return bucket;
  }

  private static float[] deviceValues(StorageLoad load) throws WireException {
    PackedColumns columns = PackedColumns.of(load);
    int width = DEVICE_COLUMNS.length;
    float[] values = new float[columns.rows() * width];
    for (int column = 0; column < width && columns.rows() > 0; column++) {
      PackedColumns.DoubleColumn from = columns.doubles(DEVICE_COLUMNS[column]);
      if (from == null) {
        throw new WireException(
            "load of " + load.getSubject() + ": no device column " + DEVICE_COLUMNS[column]);
      }
      for (int device = 0; device < columns.rows(); device++) {
        values[device * width + column] = (float) from.get(device);
      }
    }
    return values;
  }

  /** Returns what all its devices did together. */
  BucketLoad forAnalysis(long newestClosedUntil) {
    boolean closed = isClosed(newestClosedUntil);
    return new BucketLoad(bytesRead, bytesWritten, utilMean, utilMax, closed, allServers);
  }

  /** Returns what one device did; null where it was not sampled. */
  @Nullable BucketLoad forAnalysis(String device, long newestClosedUntil) {
    int at = Arrays.asList(devices).indexOf(device) * DEVICE_COLUMNS.length;
    return at < 0
        ? null
        : BucketLoad.ofDevice(
            deviceValues[at],
            deviceValues[at + 1],
            deviceValues[at + 2],
            isClosed(newestClosedUntil));
  }

  private boolean isClosed(long newestClosedUntil) {
    return start + Math.round(bucketSeconds * 1e6) <= newestClosedUntil;
  }
}
