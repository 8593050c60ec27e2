package org.weir.storage.silence;

import java.util.HashSet;
import java.util.Set;

/** What is remembered of a device to notice its silence. Processing times in milliseconds. */
public final class DeviceWatch {

  public String cluster;
  public String device;

  /** Those whose last sample has it. */
  public Set<String> servers = new HashSet<>();

  /** Where it was last. */
  public String lastServer;

  /** Since when no server has it; 0 while one does. */
  public long missingSince;

  public Silence silence = new Silence();

  /** Processing time of the only registered timer; 0 if there is none. */
  public long timer;

  /** Leaves the fields to be set next, as Flink does when it reads one. */
  @SuppressWarnings("NullAway.Init")
  public DeviceWatch() {}
}
