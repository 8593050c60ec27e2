package org.weir.load.gather;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.weir.load.bucket.ServerBucket;
import org.weir.load.sample.Columns;
import org.weir.load.sample.DeviceIds;
import org.weir.load.sample.SampleDelta;

/** Adds the samples of one bucket up, device by device. */
final class BucketSums {

  private final Map<String, Device> devices = new LinkedHashMap<>();
  private long samples;
  private long restarts;

  /** Devices of the sample that was added last, and their sums; null where nothing is known yet. */
  private byte[] packed = {};

  private String[] ids = {};
  private Device[] rows = {};

  private static final class Device {
    private final double[] sums = new double[Columns.COUNT];
    private double sampledSeconds;
  }

  /** Adds a sample; one that gave no values counts only its restarts. */
  void add(SampleDelta delta) {
    restarts += delta.restarts;
    if (delta.values.length == 0) {
      return;
    }
    samples++;
    if (!Arrays.equals(packed, delta.devices)) {
      packed = delta.devices;
      ids = DeviceIds.unpack(packed);
      rows = Arrays.stream(ids).map(devices::get).toArray(Device[]::new);
    }
    for (int device = 0; device < rows.length; device++) {
      addDevice(delta, device);
    }
  }

  private void addDevice(SampleDelta delta, int position) {
    int at = position * Columns.COUNT;
    boolean known = false;
    for (int column = 0; column < Columns.COUNT; column++) {
      known |= !Double.isNaN(delta.values[at + column]);
    }
    if (!known) {
      return;
    }
    if (rows[position] == null) {
      rows[position] = new Device();
      devices.put(ids[position], rows[position]);
    }
    Device device = rows[position];
    device.sampledSeconds += delta.seconds;
    for (int column = 0; column < Columns.COUNT; column++) {
      double value = delta.values[at + column];
      device.sums[column] += Double.isNaN(value) ? 0 : value;
    }
  }

  boolean isEmpty() {
    return devices.isEmpty();
  }

  long restarts() {
    return restarts;
  }

  /** Fills the sums and the number of samples in. */
  void fill(ServerBucket bucket) {
    bucket.samples = samples;
    bucket.deviceIds = devices.keySet().toArray(String[]::new);
    bucket.sums = new double[devices.size() * Columns.COUNT];
    bucket.sampledSeconds = new double[devices.size()];
    int position = 0;
    for (Device device : devices.values()) {
      System.arraycopy(device.sums, 0, bucket.sums, position * Columns.COUNT, Columns.COUNT);
      bucket.sampledSeconds[position] = device.sampledSeconds;
      position++;
    }
  }
}
