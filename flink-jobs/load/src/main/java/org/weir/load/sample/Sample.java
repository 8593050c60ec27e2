package org.weir.load.sample;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** One sample of one server over its devices. Times in microseconds. */
public final class Sample {

  public String cluster;
  public String server;

  /** End of the interval. */
  public long time;

  public double intervalSeconds;
  public boolean cumulative;

  /** Empty where the server does not state it. */
  public String bootId;

  /** Its devices' ids, see {@link DeviceIds}. */
  public byte[] devices;

  /** Device after device, {@link Columns#COUNT} values each; NaN where the sample has none. */
  public double[] values;

  public String origin;

  /** Kafka timestamp of the message. */
  public long sentAt;

  /** Leaves the fields to be set next, as Flink does when it reads one. */
  @SuppressWarnings("NullAway.Init")
  public Sample() {}

  /** Middle of the interval: its load bucket holds the sample. */
  public long middle() {
    return time - Math.round(intervalSeconds * 500_000);
  }

  /** How many devices it has. */
  int count() {
    return values.length / Columns.COUNT;
  }

  public boolean sameAs(@Nullable Sample other) {
    return other != null
        && time == other.time
        && intervalSeconds == other.intervalSeconds
        && cumulative == other.cumulative
        && bootId.equals(other.bootId)
        && Arrays.equals(devices, other.devices)
        && Arrays.equals(values, other.values);
  }

  /** Returns the key of what belongs to one server: an archive that is read again is another. */
  public String serverKey() {
    return String.join("/", cluster, server, origin);
  }
}
