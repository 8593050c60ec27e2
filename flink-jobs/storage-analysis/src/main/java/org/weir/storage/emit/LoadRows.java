package org.weir.storage.emit;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.weir.flink.clickhouse.NativeBlock;
import org.weir.flink.clickhouse.RowBlock;
import org.weir.flink.clickhouse.Rows;
import org.weir.flink.clickhouse.Table;
import org.weir.load.bucket.FilesystemLoad;
import org.weir.load.bucket.ServerBucket;
import org.weir.load.bucket.UtilStats;
import org.weir.load.sample.Columns;

/** Load as rows of server_load, device_load and filesystem_load. */
final class LoadRows {

  private static final Table DEVICES = Table.named("device_load_versions");

  private LoadRows() {}

  static Rows ofServer(ServerBucket bucket) {
    UtilStats util = UtilStats.of(bucket.util());
    return new RowBlock("server_load_versions")
        .row()
        .set("cluster", bucket.cluster)
        .set("server", bucket.server)
        .set("bucket_start", bucket.bucketStart)
        .set("bucket_seconds", bucket.bucketSeconds)
        .set("bytes_read", bucket.total(Columns.BYTES_READ))
        .set("bytes_written", bucket.total(Columns.BYTES_WRITTEN))
        .set("reads", bucket.total(Columns.READS))
        .set("writes", bucket.total(Columns.WRITES))
        .set("util_mean", util.mean())
        .set("util_p95", util.p95())
        .set("util_max", util.max())
        .set("read_wait_seconds", bucket.total(Columns.READ_WAIT_SECONDS))
        .set("write_wait_seconds", bucket.total(Columns.WRITE_WAIT_SECONDS))
        .set("version", bucket.samples)
        .set("is_deleted", 0)
        .set("origin", bucket.origin)
        .build(bucket.cluster, bucket.sentAt);
  }

  /**
   * One row a device.
   *
   * @param packed see {@link ServerBucket#packed}
   */
  static Rows ofDevices(ServerBucket bucket, ByteBuffer packed) {
    int devices = bucket.deviceIds.length;
    NativeBlock block =
        new NativeBlock(DEVICES, devices, packed.remaining() + 250 * devices + 512)
            .constant("cluster", bucket.cluster)
            .column("device_id", Arrays.asList(bucket.deviceIds))
            .constant("server", bucket.server)
            .constant("bucket_start", bucket.bucketStart)
            .constant("bucket_seconds", bucket.bucketSeconds)
            .constant("version", bucket.samples)
            .constant("is_deleted", 0)
            .constant("origin", bucket.origin);
    for (int column = 0; column < Columns.COUNT; column++) {
      if (DEVICES.columns().contains(Columns.NAMES.get(column))) {
        block.packed(Columns.NAMES.get(column), packed, column * devices * Double.BYTES);
      }
    }
    return block
        .packed("util", packed, Columns.COUNT * devices * Double.BYTES)
        .build(bucket.cluster, bucket.sentAt);
  }

  static Rows ofFilesystem(FilesystemLoad load) {
    return new RowBlock("filesystem_load_versions")
        .row()
        .set("cluster", load.cluster)
        .set("filesystem", load.filesystem)
        .set("bucket_start", load.bucketStart)
        .set("bucket_seconds", load.bucketSeconds)
        .set("bytes_read", load.sums[Columns.BYTES_READ])
        .set("bytes_written", load.sums[Columns.BYTES_WRITTEN])
        .set("reads", load.sums[Columns.READS])
        .set("writes", load.sums[Columns.WRITES])
        .set("util_mean", load.utilMean)
        .set("util_p95", load.utilP95)
        .set("util_max", load.utilMax)
        .set("read_wait_seconds", load.sums[Columns.READ_WAIT_SECONDS])
        .set("write_wait_seconds", load.sums[Columns.WRITE_WAIT_SECONDS])
        .set("servers_reported", load.serversReported)
        .set("servers_expected", load.serversExpected)
        .set("version", load.samples)
        .set("is_deleted", 0)
        .set("origin", load.origin)
        .build(load.cluster, load.sentAt);
  }
}
