package org.weir.storage.silence;

import org.weir.storage.sample.DeviceIds;
import org.weir.storage.sample.Tick;

/** A sign of life of a server, or that the site expects it. */
public final class Sighting {

  public String cluster;
  public String server;

  /** Only that the site lists the server: the rest is empty. */
  public boolean expected;

  /** Of the tick, microseconds. */
  public long time;

  public double intervalSeconds;

  /** The devices of the tick; null where they are those of the tick before. */
  public String[] deviceIds;

  public Sighting() {}

  public static Sighting of(Tick tick, boolean withDevices) {
    Sighting sighting = new Sighting();
    sighting.cluster = tick.cluster;
    sighting.server = tick.server;
    sighting.time = tick.time;
    sighting.intervalSeconds = tick.intervalSeconds;
    sighting.deviceIds = withDevices ? DeviceIds.unpack(tick.devices) : null;
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
