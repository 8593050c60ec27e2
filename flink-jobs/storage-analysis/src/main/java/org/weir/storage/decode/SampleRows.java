package org.weir.storage.decode;

import java.nio.ByteBuffer;
import org.weir.flink.clickhouse.NativeBlock;
import org.weir.flink.clickhouse.Rows;
import org.weir.flink.clickhouse.Table;
import org.weir.wire.DeviceSample;

/** A sample as rows of device_samples, one a device, with its columns copied as they are. */
final class SampleRows {

  private static final Table TABLE = Table.named("device_samples_versions");

  /** A sample never changes. */
  private static final long VERSION = 1;

  private SampleRows() {}

  static Rows of(DeviceSample sample, long sentAt) {
    int devices = sample.getDeviceIds().size();
    ByteBuffer values = sample.getValues();
    NativeBlock block =
        new NativeBlock(TABLE, devices, values.remaining() + 200 * devices + 512)
            .constant("cluster", sample.getCluster())
            .constant("server", sample.getServer())
            .column("device_id", sample.getDeviceIds())
            .column("device_name", sample.getDeviceNames())
            .constant("time", sample.getTime())
            .constant("interval_seconds", sample.getIntervalSeconds())
            .constant("cumulative", sample.getCumulative() ? 1 : 0)
            .constant("boot_id", sample.getBootId() == null ? "" : sample.getBootId())
            .constant("version", VERSION)
            .constant("is_deleted", 0)
            .constant("origin", sample.getOrigin());
    for (int i = 0; i < sample.getColumns().size(); i++) {
      block.packed(sample.getColumns().get(i), values, i * devices * Double.BYTES);
    }
    return block.build(sample.getCluster(), sentAt);
  }
}
