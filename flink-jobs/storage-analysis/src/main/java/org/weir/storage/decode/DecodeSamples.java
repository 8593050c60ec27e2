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
import org.weir.storage.sample.Sample;
import org.weir.wire.DeviceSample;
import org.weir.wire.PackedColumns;
import org.weir.wire.WireException;

/** Messages of weir.device.sample to samples; their rows leave on a side output of their own. */
public final class DecodeSamples extends DecodeFunction<DeviceSample, Sample> {

  public static final OutputTag<Rows> ROWS = new OutputTag<>("sample-rows") {};

  private static final long serialVersionUID = 1L;

  /** No device is called so: its events are keyed by it. */
  private static final int MOST_CHARACTERS = 1_000;

  public DecodeSamples() {
    super(DeviceSample.class, StorageSettings.JOB);
  }

  @Override
  protected String clusterOf(DeviceSample message) {
    return message.getCluster();
  }

  @Override
  protected void accept(DeviceSample message, KafkaMessage from, Emissions<Sample> out)
      throws WireException {
    check(message, from);
    Sample sample = sample(message, from);
    out.output(ROWS, SampleRows.of(message, from.sentAt));
    out.collect(sample);
  }

  private static void check(DeviceSample message, KafkaMessage from) throws WireException {
    String where = "sample of server " + message.getServer() + " at " + message.getTime();
    if (message.getDeviceIds().isEmpty()) {
      throw new WireException(where + ": no devices");
    }
    if (message.getDeviceNames().size() != message.getDeviceIds().size()) {
      throw new WireException(where + ": device_names and device_ids differ in length");
    }
    if (new HashSet<>(message.getDeviceIds()).size() != message.getDeviceIds().size()) {
      throw new WireException(where + ": a device id occurs twice");
    }
    if (message.getDeviceIds().stream().anyMatch(id -> id.indexOf(DeviceIds.END) >= 0)) {
      throw new WireException(where + ": a zero byte in a device id");
    }
    if (Stream.of(message.getDeviceIds(), message.getDeviceNames())
        .flatMap(List::stream)
        .anyMatch(text -> text.length() > MOST_CHARACTERS)) {
      throw new WireException(
          where + ": a device id or name of more than " + MOST_CHARACTERS + " characters");
    }
    if (!Columns.NAMES.containsAll(message.getColumns())
        || new HashSet<>(message.getColumns()).size() != message.getColumns().size()) {
      throw new WireException(
          where + ": columns " + message.getColumns() + ", expected of " + Columns.NAMES);
    }
    if (!(message.getIntervalSeconds() > 0 && message.getIntervalSeconds() < 1e6)) {
      throw new WireException(where + ": interval of " + message.getIntervalSeconds() + " seconds");
    }
    EventTime.check(where + ": time", message.getTime(), from);
  }

  private static Sample sample(DeviceSample message, KafkaMessage from) throws WireException {
    PackedColumns packed = PackedColumns.of(message);
    Sample sample = new Sample();
    sample.cluster = message.getCluster();
    sample.server = message.getServer();
    sample.time = message.getTime();
    sample.intervalSeconds = message.getIntervalSeconds();
    sample.cumulative = message.getCumulative();
    sample.bootId = message.getBootId() == null ? "" : message.getBootId();
    sample.devices = DeviceIds.pack(message.getDeviceIds());
    sample.values = new double[packed.rows() * Columns.COUNT];
    sample.origin = message.getOrigin();
    sample.sentAt = from.sentAt;
    Arrays.fill(sample.values, Double.NaN);
    for (int column = 0; column < Columns.COUNT; column++) {
      PackedColumns.DoubleColumn values = packed.doubles(Columns.NAMES.get(column));
      for (int device = 0; values != null && device < packed.rows(); device++) {
        sample.values[device * Columns.COUNT + column] = values.get(device);
      }
    }
    return sample;
  }
}
