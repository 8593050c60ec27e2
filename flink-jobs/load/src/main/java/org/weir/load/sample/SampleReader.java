package org.weir.load.sample;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;
import org.weir.wire.DeviceSample;
import org.weir.wire.PackedColumns;
import org.weir.wire.WireException;

/**
 * Reads samples from messages of weir.device.sample, and refuses those that contradict themselves.
 */
public final class SampleReader {

  /** No device is called so: its events are keyed by it. */
  private static final int MOST_CHARACTERS = 1_000;

  private SampleReader() {}

  /**
   * Reads the sample of a message.
   *
   * @param sentAt Kafka timestamp of the message, milliseconds
   * @throws WireException if it can't be right; names the server, the time and the field
   */
  public static Sample read(DeviceSample message, long sentAt) throws WireException {
    check(message);
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
    sample.sentAt = sentAt;
    Arrays.fill(sample.values, Double.NaN);
    for (int column = 0; column < Columns.COUNT; column++) {
      PackedColumns.DoubleColumn values = packed.doubles(Columns.NAMES.get(column));
      for (int device = 0; values != null && device < packed.rows(); device++) {
        sample.values[device * Columns.COUNT + column] = values.get(device);
      }
    }
    return sample;
  }

  /** Names a sample in a reason for which it is refused. */
  public static String describe(DeviceSample message) {
    return "sample of server " + message.getServer() + " at " + message.getTime();
  }

  private static void check(DeviceSample message) throws WireException {
    String where = describe(message);
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
  }
}
