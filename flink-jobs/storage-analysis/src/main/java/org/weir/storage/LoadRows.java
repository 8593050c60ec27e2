package org.weir.storage;

import org.weir.flink.clickhouse.RowBlock;
import org.weir.flink.clickhouse.Rows;

/** Load as rows of server_load, device_load and filesystem_load. */
final class LoadRows {

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
        .set("version", bucket.ticks)
        .set("is_deleted", 0)
        .set("origin", bucket.origin)
        .build(bucket.cluster, bucket.sentAt);
  }

  static Rows ofDevices(ServerBucket bucket) {
    RowBlock block = new RowBlock("device_load_versions");
    double[] util = bucket.util();
    for (int device = 0; device < bucket.deviceIds.length; device++) {
      int at = device * Columns.COUNT;
      block
          .row()
          .set("cluster", bucket.cluster)
          .set("device_id", bucket.deviceIds[device])
          .set("server", bucket.server)
          .set("bucket_start", bucket.bucketStart)
          .set("bucket_seconds", bucket.bucketSeconds)
          .set("bytes_read", bucket.sums[at + Columns.BYTES_READ])
          .set("bytes_written", bucket.sums[at + Columns.BYTES_WRITTEN])
          .set("reads", bucket.sums[at + Columns.READS])
          .set("writes", bucket.sums[at + Columns.WRITES])
          .set("util", util[device])
          .set("read_wait_seconds", bucket.sums[at + Columns.READ_WAIT_SECONDS])
          .set("write_wait_seconds", bucket.sums[at + Columns.WRITE_WAIT_SECONDS])
          .set("version", bucket.ticks)
          .set("is_deleted", 0)
          .set("origin", bucket.origin);
    }
    return block.build(bucket.cluster, bucket.sentAt);
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
        .set("version", load.ticks)
        .set("is_deleted", 0)
        .set("origin", load.origin)
        .build(load.cluster, load.sentAt);
  }
}
