package org.weir.load.sample;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the devices of a server did in the interval of one sample. */
public final class SampleDelta {

  /** A cumulative sample whose predecessor is further away than this many intervals has a gap. */
  public static final double LONGEST_STEP_INTERVALS = 1.5;

  /** A device cannot have been busy for longer; twice that leaves room for coarse kernel clocks. */
  private static final double MOST_BUSY = 2;

  /** As in {@link Sample}. */
  public final byte[] devices;

  /**
   * As in {@link Sample}; NaN is unknown. Empty where nothing is known: after a restart or a gap.
   */
  public final double[] values;

  public final double seconds;

  /** Devices whose counters started over. */
  public final long restarts;

  private SampleDelta(byte[] devices, double[] values, double seconds) {
    this.devices = devices;
    this.values = values;
    this.seconds = seconds;
    this.restarts = forgetAbsurd();
  }

  private SampleDelta(long restarts) {
    this.devices = new byte[0];
    this.values = new double[0];
    this.seconds = 0;
    this.restarts = restarts;
  }

  /**
   * The sample's own values, or for one that counts since boot the difference to its predecessor.
   *
   * @param previous the sample before it; null where there is none
   */
  public static SampleDelta of(Sample sample, @Nullable Sample previous) {
    if (!sample.cumulative) {
      return new SampleDelta(sample.devices, sample.values.clone(), sample.intervalSeconds);
    }
    if (previous == null
        || !previous.cumulative
        || sample.time - previous.time > longestStep(sample)) {
      return new SampleDelta(0);
    }
    if (!previous.bootId.equals(sample.bootId)) {
      return new SampleDelta(sample.count());
    }
    double[] before = valuesOf(previous, sample.devices);
    double[] values = new double[sample.values.length];
    Arrays.setAll(values, at -> sample.values[at] - before[at]);
    return new SampleDelta(sample.devices, values, (sample.time - previous.time) / 1e6);
  }

  /** Microseconds back to the furthest sample that still counts as the one before. */
  public static long longestStep(Sample sample) {
    return Math.round(sample.intervalSeconds * LONGEST_STEP_INTERVALS * 1e6);
  }

  /**
   * A counter that fell, is infinite or was busy for longer than there was time tells that the
   * device's counters started anew: nothing of it is known. Returns how many there are.
   */
  private long forgetAbsurd() {
    long found = 0;
    for (int at = 0; at < values.length; at += Columns.COUNT) {
      boolean absurd = values[at + Columns.BUSY_SECONDS] > MOST_BUSY * seconds;
      for (int column = 0; column < Columns.COUNT; column++) {
        absurd |= values[at + column] < 0 || Double.isInfinite(values[at + column]);
      }
      if (absurd) {
        Arrays.fill(values, at, at + Columns.COUNT, Double.NaN);
        found++;
      }
    }
    return found;
  }

  /** The sample's values of these devices; NaN where it has them not. */
  private static double[] valuesOf(Sample sample, byte[] devices) {
    if (Arrays.equals(sample.devices, devices)) {
      return sample.values;
    }
    Map<String, Integer> positions = new HashMap<>();
    for (String id : DeviceIds.unpack(sample.devices)) {
      positions.put(id, positions.size());
    }
    String[] ids = DeviceIds.unpack(devices);
    double[] values = new double[ids.length * Columns.COUNT];
    Arrays.fill(values, Double.NaN);
    for (int device = 0; device < ids.length; device++) {
      Integer position = positions.get(ids[device]);
      if (position != null) {
        System.arraycopy(
            sample.values, position * Columns.COUNT, values, device * Columns.COUNT, Columns.COUNT);
      }
    }
    return values;
  }
}
