package org.weir.storage.decode;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.util.OutputTag;
import org.weir.flink.clickhouse.Rows;
import org.weir.flink.kafka.DecodeFunction;
import org.weir.flink.kafka.Emissions;
import org.weir.flink.kafka.EventTime;
import org.weir.flink.kafka.KafkaMessage;
import org.weir.storage.control.StorageSettings;
import org.weir.storage.sample.Columns;
import org.weir.storage.sample.DeviceIds;
import org.weir.storage.sample.Tick;
import org.weir.wire.DeviceSample;
import org.weir.wire.PackedColumns;
import org.weir.wire.WireException;

/** Messages of weir.device.sample to ticks; their rows leave on a side output of their own. */
public final class DecodeSamples extends DecodeFunction<DeviceSample, Tick> {

  public static final OutputTag<Rows> ROWS = new OutputTag<>("sample-rows") {};

  private static final long serialVersionUID = 1L;

  /** No device is called so: its events are keyed by it. */
  private static final int MOST_CHARACTERS = 1_000;

  public DecodeSamples() {
    super(DeviceSample.class, StorageSettings.JOB);
  }

  @Override
  protected String clusterOf(DeviceSample sample) {
    return sample.getCluster();
  }

  @Override
  protected void accept(DeviceSample sample, KafkaMessage from, Emissions<Tick> out)
      throws WireException {
    check(sample, from);
    Tick tick = tick(sample, from);
    out.output(ROWS, SampleRows.of(sample, from.sentAt));
    out.collect(tick);
  }

  private static void check(DeviceSample sample, KafkaMessage from) throws WireException {
    String where = "sample of server " + sample.getServer() + " at " + sample.getTime();
    if (sample.getDeviceIds().isEmpty()) {
      throw new WireException(where + ": no devices");
    }
    if (sample.getDeviceNames().size() != sample.getDeviceIds().size()) {
      throw new WireException(where + ": device_names and device_ids differ in length");
    }
    if (new HashSet<>(sample.getDeviceIds()).size() != sample.getDeviceIds().size()) {
      throw new WireException(where + ": a device id occurs twice");
    }
    if (sample.getDeviceIds().stream().anyMatch(id -> id.indexOf(DeviceIds.END) >= 0)) {
      throw new WireException(where + ": a zero byte in a device id");
    }
    if (Stream.of(sample.getDeviceIds(), sample.getDeviceNames())
        .flatMap(List::stream)
        .anyMatch(text -> text.length() > MOST_CHARACTERS)) {
      throw new WireException(
          where + ": a device id or name of more than " + MOST_CHARACTERS + " characters");
    }
    if (!Columns.NAMES.containsAll(sample.getColumns())
        || new HashSet<>(sample.getColumns()).size() != sample.getColumns().size()) {
      throw new WireException(
          where + ": columns " + sample.getColumns() + ", expected of " + Columns.NAMES);
    }
    if (!(sample.getIntervalSeconds() > 0 && sample.getIntervalSeconds() < 1e6)) {
      throw new WireException(where + ": interval of " + sample.getIntervalSeconds() + " seconds");
    }
    EventTime.check(where + ": time", sample.getTime(), from);
  }

  private static Tick tick(DeviceSample sample, KafkaMessage from) throws WireException {
    PackedColumns packed = PackedColumns.of(sample);
    Tick tick = new Tick();
    tick.cluster = sample.getCluster();
    tick.server = sample.getServer();
    tick.time = sample.getTime();
    tick.intervalSeconds = sample.getIntervalSeconds();
    tick.cumulative = sample.getCumulative();
    tick.bootId = sample.getBootId() == null ? "" : sample.getBootId();
    tick.devices = DeviceIds.pack(sample.getDeviceIds());
    tick.values = new double[packed.rows() * Columns.COUNT];
    tick.origin = sample.getOrigin();
    tick.sentAt = from.sentAt;
    Arrays.fill(tick.values, Double.NaN);
    for (int column = 0; column < Columns.COUNT; column++) {
      PackedColumns.DoubleColumn values = packed.doubles(Columns.NAMES.get(column));
      for (int device = 0; values != null && device < packed.rows(); device++) {
        tick.values[device * Columns.COUNT + column] = values.get(device);
      }
    }
    return tick;
  }
}
