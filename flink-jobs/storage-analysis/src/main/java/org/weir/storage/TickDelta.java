package org.weir.storage;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** What the devices of a server did in the interval of one tick. */
final class TickDelta {

  /** A cumulative tick whose predecessor is further away than this many intervals has a gap. */
  static final double LONGEST_STEP_INTERVALS = 1.5;

  /** A device cannot have been busy for longer; twice that leaves room for coarse kernel clocks. */
  private static final double MOST_BUSY = 2;

  /** Of those that were there; empty where nothing is known: after a restart or a gap. */
  final String[] deviceIds;

  /** As in {@link Tick}; NaN is unknown. */
  final double[] values;

  final double seconds;

  /** Devices whose counters started anew. */
  final long restarts;

  private TickDelta(String[] deviceIds, double[] values, double seconds) {
    this.deviceIds = deviceIds;
    this.values = values;
    this.seconds = seconds;
    this.restarts = forgetAbsurd();
  }

  private TickDelta(long restarts) {
    this.deviceIds = new String[0];
    this.values = new double[0];
    this.seconds = 0;
    this.restarts = restarts;
  }

  /**
   * The tick's own values, or for one that counts since boot the difference to its predecessor.
   *
   * @param previous the tick before it, or null
   */
  static TickDelta of(Tick tick, Tick previous) {
    if (!tick.cumulative) {
      return new TickDelta(tick.deviceIds, tick.values.clone(), tick.intervalSeconds);
    }
    if (previous == null || !previous.cumulative || tick.time - previous.time > longestStep(tick)) {
      return new TickDelta(0);
    }
    if (!previous.bootId.equals(tick.bootId)) {
      return new TickDelta(tick.deviceIds.length);
    }
    double[] values = new double[tick.values.length];
    Map<String, Integer> before = null;
    for (int device = 0; device < tick.deviceIds.length; device++) {
      int position = device;
      if (device >= previous.deviceIds.length
          || !previous.deviceIds[device].equals(tick.deviceIds[device])) {
        before = before == null ? positions(previous) : before;
        position = before.getOrDefault(tick.deviceIds[device], -1);
      }
      for (int column = 0; column < Columns.COUNT; column++) {
        int at = device * Columns.COUNT + column;
        values[at] =
            position < 0
                ? Double.NaN
                : tick.values[at] - previous.values[position * Columns.COUNT + column];
      }
    }
    return new TickDelta(tick.deviceIds, values, (tick.time - previous.time) / 1e6);
  }

  /** Microseconds back to the furthest tick that still counts as the one before. */
  static long longestStep(Tick tick) {
    return Math.round(tick.intervalSeconds * LONGEST_STEP_INTERVALS * 1e6);
  }

  /**
   * A counter that fell, is infinite or was busy for longer than there was time tells that the
   * device's counters started anew: nothing of it is known. Returns how many there are.
   */
  private long forgetAbsurd() {
    long found = 0;
    for (int device = 0; device < deviceIds.length; device++) {
      int at = device * Columns.COUNT;
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

  private static Map<String, Integer> positions(Tick tick) {
    Map<String, Integer> positions = new HashMap<>();
    for (int device = 0; device < tick.deviceIds.length; device++) {
      positions.put(tick.deviceIds[device], device);
    }
    return positions;
  }
}
