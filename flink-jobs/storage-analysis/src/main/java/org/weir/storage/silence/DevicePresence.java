package org.weir.storage.silence;

/** A device has come to a server or is gone from it. */
public final class DevicePresence {

  public String cluster;
  public String device;
  public String server;
  public boolean present;

  /** The server itself is forgotten: no reason to miss its devices. */
  public boolean forgotten;

  /** The time of the sample in which the device was last or first, microseconds. */
  public long time;

  public double intervalSeconds;

  /** Leaves the fields to be set next, as Flink does when it reads one. */
  @SuppressWarnings("NullAway.Init")
  public DevicePresence() {}

  static DevicePresence of(Sighting of, String device, boolean present, long time) {
    DevicePresence presence = new DevicePresence();
    presence.cluster = of.cluster;
    presence.server = of.server;
    presence.device = device;
    presence.present = present;
    presence.time = time;
    presence.intervalSeconds = of.intervalSeconds;
    return presence;
  }

  public String key() {
    return cluster + "/" + device;
  }
}
