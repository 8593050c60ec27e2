package org.weir.storage.silence;

import org.jspecify.annotations.Nullable;
import org.weir.load.sample.DeviceIds;
import org.weir.load.sample.Sample;

/** A sign of life of a server, or that the site expects it. */
public final class Sighting {

  public String cluster;
  public String server;

  /** Only that the site lists the server: the rest is empty. */
  public boolean expected;

  /** The sample's time, microseconds. */
  public long time;

  public double intervalSeconds;

  /** The devices of the sample; null where they are those of the sample before. */
  public String @Nullable [] deviceIds;

  /** Leaves the fields to be set next, as Flink does when it reads one. */
  @SuppressWarnings("NullAway.Init")
  public Sighting() {}

  public static Sighting of(Sample sample, boolean withDevices) {
    Sighting sighting = new Sighting();
    sighting.cluster = sample.cluster;
    sighting.server = sample.server;
    sighting.time = sample.time;
    sighting.intervalSeconds = sample.intervalSeconds;
    sighting.deviceIds = withDevices ? DeviceIds.unpack(sample.devices) : null;
    return sighting;
  }

  static Sighting expected(String cluster, String server) {
    Sighting sighting = new Sighting();
    sighting.cluster = cluster;
    sighting.server = server;
    sighting.expected = true;
    return sighting;
  }

  public String key() {
    return cluster + "/" + server;
  }
}
