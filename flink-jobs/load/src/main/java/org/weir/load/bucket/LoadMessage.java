package org.weir.load.bucket;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.weir.load.sample.Columns;
import org.weir.wire.StorageLoad;

/** Builds messages of weir.storage.load. */
public final class LoadMessage {

  private static final List<String> DEVICE_COLUMNS =
      Stream.concat(Columns.NAMES.stream(), Stream.of("util")).toList();

  private LoadMessage() {}

  /**
   * Builds the message about a bucket of a server.
   *
   * @param packed its devices, see {@link ServerBucket#packed}
   */
  public static StorageLoad of(ServerBucket bucket, ByteBuffer packed) {
    UtilStats util = UtilStats.of(bucket.util());
    return withTotals(
        StorageLoad.newBuilder()
            .setCluster(bucket.cluster)
            .setKind("server")
            .setSubject(bucket.server)
            .setBucketStart(bucket.bucketStart)
            .setBucketSeconds(bucket.bucketSeconds)
            .setUtilMean(util.mean())
            .setUtilP95(util.p95())
            .setUtilMax(util.max())
            .setClosedUntil(bucket.closedUntil)
            .setServersReported(1)
            .setServersExpected(1)
            .setVersion(bucket.samples)
            .setDeviceIds(Arrays.asList(bucket.deviceIds))
            .setDeviceColumns(DEVICE_COLUMNS)
            .setDeviceValues(packed)
            .setOrigin(bucket.origin),
        bucket.totals());
  }

  /** Builds the message about a bucket of a file system. */
  public static StorageLoad of(FilesystemLoad load) {
    return withTotals(
        StorageLoad.newBuilder()
            .setCluster(load.cluster)
            .setKind("filesystem")
            .setSubject(load.filesystem)
            .setBucketStart(load.bucketStart)
            .setBucketSeconds(load.bucketSeconds)
            .setUtilMean(load.utilMean)
            .setUtilP95(load.utilP95)
            .setUtilMax(load.utilMax)
            .setClosedUntil(load.closedUntil)
            .setServersReported(load.serversReported)
            .setServersExpected(load.serversExpected)
            .setVersion(load.samples)
            .setDeviceIds(List.of())
            .setDeviceColumns(List.of())
            .setDeviceValues(ByteBuffer.allocate(0))
            .setOrigin(load.origin),
        load.sums);
  }

  private static StorageLoad withTotals(StorageLoad.Builder load, double[] totals) {
    return load.setReads(totals[Columns.READS])
        .setWrites(totals[Columns.WRITES])
        .setBytesRead(totals[Columns.BYTES_READ])
        .setBytesWritten(totals[Columns.BYTES_WRITTEN])
        .setReadWaitSeconds(totals[Columns.READ_WAIT_SECONDS])
        .setWriteWaitSeconds(totals[Columns.WRITE_WAIT_SECONDS])
        .build();
  }
}
