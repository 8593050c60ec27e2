package org.weir.load.testing;

import java.util.Arrays;
import java.util.List;
import org.weir.load.sample.Columns;
import org.weir.load.sample.DeviceIds;
import org.weir.load.sample.Sample;

/** Samples and sites for tests. Times in seconds. */
public final class Samples {

  public static final String CLUSTER = "c";

  /** One file system over devices a and w of s1 and b of s2; buckets of 10 s. */
  public static final String SITE =
      "{\"cluster\":\"c\",\"load_bucket_seconds\":10,\"servers\":["
          + "{\"name\":\"s1\",\"sample_interval_seconds\":5},"
          + "{\"name\":\"s2\",\"sample_interval_seconds\":5}],"
          + "\"file_systems\":[{\"id\":\"fs\",\"kind\":\"lustre\",\"mount_prefixes\":[\"/fs\"],"
          + "\"devices\":{\"s1\":[\"a\",\"w\"],\"s2\":[\"b\"]}}]}";

  private Samples() {}

  /** A sample of five seconds with one device that wrote so many bytes, busy half of the time. */
  public static Sample of(String server, String device, long seconds, double bytesWritten) {
    Sample sample = new Sample();
    sample.cluster = CLUSTER;
    sample.server = server;
    sample.time = seconds * 1_000_000;
    sample.intervalSeconds = 5;
    sample.bootId = "";
    sample.devices = DeviceIds.pack(List.of(device));
    sample.values = new double[Columns.COUNT];
    Arrays.fill(sample.values, 0);
    sample.values[Columns.BYTES_WRITTEN] = bytesWritten;
    sample.values[Columns.BUSY_SECONDS] = 2.5;
    sample.origin = "live";
    sample.sentAt = sample.time;
    return sample;
  }

  /** One that counts since boot. */
  public static Sample cumulative(
      long seconds, String boot, double bytesWritten, double busySeconds) {
    Sample sample = of("s1", "a", seconds, bytesWritten);
    sample.cumulative = true;
    sample.bootId = boot;
    sample.values[Columns.BUSY_SECONDS] = busySeconds;
    return sample;
  }

  public static Sample archived(String server, String device, long seconds, double bytesWritten) {
    Sample sample = of(server, device, seconds, bytesWritten);
    sample.origin = "backfill";
    return sample;
  }

  /** The sample with these devices; the values of those beyond its own are 0. */
  public static Sample withDevices(Sample sample, String... devices) {
    sample.devices = DeviceIds.pack(List.of(devices));
    sample.values = Arrays.copyOf(sample.values, devices.length * Columns.COUNT);
    return sample;
  }
}
