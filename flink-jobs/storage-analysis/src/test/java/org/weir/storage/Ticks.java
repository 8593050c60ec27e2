package org.weir.storage;

import java.util.Arrays;
import java.util.List;
import org.weir.storage.sample.Columns;
import org.weir.storage.sample.DeviceIds;
import org.weir.storage.sample.Tick;

/** Ticks and sites for tests. Times in seconds. */
public final class Ticks {

  public static final String CLUSTER = "c";

  /** One file system over devices a and w of s1 and b of s2; buckets of 10 s. */
  public static final String SITE =
      "{\"cluster\":\"c\",\"load_bucket_seconds\":10,\"servers\":["
          + "{\"name\":\"s1\",\"sample_interval_seconds\":5},"
          + "{\"name\":\"s2\",\"sample_interval_seconds\":5}],"
          + "\"file_systems\":[{\"id\":\"fs\",\"kind\":\"lustre\",\"mount_prefixes\":[\"/fs\"],"
          + "\"devices\":{\"s1\":[\"a\",\"w\"],\"s2\":[\"b\"]}}]}";

  private Ticks() {}

  /** A tick of five seconds with one device that wrote so many bytes, busy half of the time. */
  public static Tick of(String server, String device, long seconds, double bytesWritten) {
    Tick tick = new Tick();
    tick.cluster = CLUSTER;
    tick.server = server;
    tick.time = seconds * 1_000_000;
    tick.intervalSeconds = 5;
    tick.bootId = "";
    tick.devices = DeviceIds.pack(List.of(device));
    tick.values = new double[Columns.COUNT];
    Arrays.fill(tick.values, 0);
    tick.values[Columns.BYTES_WRITTEN] = bytesWritten;
    tick.values[Columns.BUSY_SECONDS] = 2.5;
    tick.origin = "live";
    tick.sentAt = tick.time;
    return tick;
  }

  /** One that counts since boot. */
  public static Tick cumulative(
      long seconds, String boot, double bytesWritten, double busySeconds) {
    Tick tick = of("s1", "a", seconds, bytesWritten);
    tick.cumulative = true;
    tick.bootId = boot;
    tick.values[Columns.BUSY_SECONDS] = busySeconds;
    return tick;
  }

  public static Tick archived(String server, String device, long seconds, double bytesWritten) {
    Tick tick = of(server, device, seconds, bytesWritten);
    tick.origin = "backfill";
    return tick;
  }

  /** The tick with these devices; the values of those beyond its own are 0. */
  public static Tick withDevices(Tick tick, String... devices) {
    tick.devices = DeviceIds.pack(List.of(devices));
    tick.values = Arrays.copyOf(tick.values, devices.length * Columns.COUNT);
    return tick;
  }
}
