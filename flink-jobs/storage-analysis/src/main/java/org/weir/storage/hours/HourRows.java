package org.weir.storage.hours;

import java.util.Map;
import java.util.SortedMap;
import org.weir.flink.clickhouse.RowBlock;
import org.weir.flink.clickhouse.Rows;
import org.weir.load.sample.Columns;

/**
 * Hours as rows of server_load_hourly, filesystem_load_hourly and device_load_hourly. Their delay
 * is not measured: the oldest message behind them is as old as the hour.
 */
final class HourRows {

  private HourRows() {}

  static Rows of(Hour hour) {
    HourPart of = hour.first();
    return new RowBlock(of.kind + "_load_hourly_versions")
        .row()
        .set("cluster", of.cluster)
        .set(of.kind, of.subject)
        .set("hour_start", hour.start())
        .set("sampled_seconds", hour.sampledSeconds())
        .set("bytes_read", hour.sums()[Columns.BYTES_READ])
        .set("bytes_written", hour.sums()[Columns.BYTES_WRITTEN])
        .set("reads", hour.sums()[Columns.READS])
        .set("writes", hour.sums()[Columns.WRITES])
        .set("util_mean", hour.utilMean())
        .set("util_max", hour.utilMax())
        .set("peak_bytes_per_second", hour.peakBytesPerSecond())
        .set("read_wait_seconds", hour.sums()[Columns.READ_WAIT_SECONDS])
        .set("write_wait_seconds", hour.sums()[Columns.WRITE_WAIT_SECONDS])
        .set("version", hour.samples())
        .set("is_deleted", 0)
        .set("origin", of.origin)
        .build(of.cluster, 0);
  }

  /**
   * One row a device.
   *
   * @param devices sums of {@link HourPart#change} by device
   */
  static Rows ofDevices(Hour hour, SortedMap<String, long[]> devices) {
    HourPart of = hour.first();
    RowBlock block = new RowBlock("device_load_hourly_versions");
    for (Map.Entry<String, long[]> device : devices.entrySet()) {
      double[] sums = new double[HourPart.DEVICE_COLUMNS];
      for (int column = 0; column < sums.length; column++) {
        sums[column] = device.getValue()[column] / HourPart.unit(column);
      }
      double sampledSeconds = sums[Columns.COUNT];
      block
          .row()
          .set("cluster", of.cluster)
          .set("device_id", device.getKey())
          .set("server", of.subject)
          .set("hour_start", hour.start())
          .set("sampled_seconds", sampledSeconds)
          .set("bytes_read", sums[Columns.BYTES_READ])
          .set("bytes_written", sums[Columns.BYTES_WRITTEN])
          .set("reads", sums[Columns.READS])
          .set("writes", sums[Columns.WRITES])
          .set("util", Columns.util(sums[Columns.BUSY_SECONDS], sampledSeconds))
          .set("read_wait_seconds", sums[Columns.READ_WAIT_SECONDS])
          .set("write_wait_seconds", sums[Columns.WRITE_WAIT_SECONDS])
          .set("version", hour.samples())
          .set("is_deleted", 0)
          .set("origin", of.origin);
    }
    return block.build(of.cluster, 0);
  }
}
