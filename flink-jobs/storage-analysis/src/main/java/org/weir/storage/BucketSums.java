package org.weir.storage;

import java.util.Map;
import java.util.TreeMap;

/** Adds the ticks of one bucket up, device by device. */
final class BucketSums {

  private final Map<String, Device> devices = new TreeMap<>();
  private long ticks;

  private static final class Device {
    private final double[] sums = new double[Columns.COUNT];
    private double sampledSeconds;
  }

  /** Adds a tick; null, a tick that gave no values, adds nothing. */
  void add(TickDelta delta) {
    if (delta == null) {
      return;
    }
    ticks++;
    for (int i = 0; i < delta.deviceIds.length; i++) {
      addDevice(delta, i);
    }
  }

  private void addDevice(TickDelta delta, int position) {
    int at = position * Columns.COUNT;
    boolean known = false;
    for (int column = 0; column < Columns.COUNT; column++) {
      known |= !Double.isNaN(delta.values[at + column]);
    }
    if (!known) {
      return;
    }
    Device device = devices.computeIfAbsent(delta.deviceIds[position], id -> new Device());
    device.sampledSeconds += delta.seconds;
    for (int column = 0; column < Columns.COUNT; column++) {
      double value = delta.values[at + column];
      device.sums[column] += Double.isNaN(value) ? 0 : value;
    }
  }

  boolean isEmpty() {
    return devices.isEmpty();
  }

  /** Fills the sums, the utilisation and the number of ticks in. */
  void fill(ServerBucket bucket) {
    bucket.ticks = ticks;
    bucket.deviceIds = devices.keySet().toArray(String[]::new);
    bucket.sums = new double[devices.size() * Columns.COUNT];
    bucket.util = new double[devices.size()];
    int position = 0;
    for (Device device : devices.values()) {
      System.arraycopy(device.sums, 0, bucket.sums, position * Columns.COUNT, Columns.COUNT);
      bucket.util[position] = util(device);
      position++;
    }
  }

  private static double util(Device device) {
    if (!(device.sampledSeconds > 0)) {
      return 0;
    }
    double share = device.sums[Columns.BUSY_SECONDS] / device.sampledSeconds;
    return Math.max(0, Math.min(1, share));
  }
}
