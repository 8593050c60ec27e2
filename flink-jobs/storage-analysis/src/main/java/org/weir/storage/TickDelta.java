package org.weir.storage;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** What the devices of a server did in the interval of one tick. */
final class TickDelta {

  /** A cumulative tick whose predecessor is further away than this many intervals has a gap. */
  static final double LONGEST_STEP_INTERVALS = 1.5;

  final String[] deviceIds;

  /** As in {@link Tick}; NaN is unknown. */
  final double[] values;

  final double seconds;

  private TickDelta(String[] deviceIds, double[] values, double seconds) {
    this.deviceIds = deviceIds;
    this.values = values;
    this.seconds = seconds;
  }

  /**
   * The tick's own values, or for one that counts since boot the difference to its predecessor.
   *
   * @param previous the tick before it, or null
   * @return null where nothing is known: after a restart or a gap
   */
  static TickDelta of(Tick tick, Tick previous) {
    if (!tick.cumulative) {
      return new TickDelta(tick.deviceIds, tick.values, tick.intervalSeconds);
    }
    if (previous == null
        || !previous.cumulative
        || !previous.bootId.equals(tick.bootId)
        || tick.time - previous.time > longestStep(tick)) {
      return null;
    }
    double[] values = new double[tick.values.length];
    Map<String, Integer> before = positions(previous);
    for (int device = 0; device < tick.deviceIds.length; device++) {
      difference(tick, device, previous, before.get(tick.deviceIds[device]), values);
    }
    return new TickDelta(tick.deviceIds, values, (tick.time - previous.time) / 1e6);
  }

  /** Microseconds back to the furthest tick that still counts as the one before. */
  static long longestStep(Tick tick) {
    return Math.round(tick.intervalSeconds * LONGEST_STEP_INTERVALS * 1e6);
  }

  /** A device with any counter that fell has started anew: nothing of it is known. */
  private static void difference(
      Tick tick, int device, Tick previous, Integer before, double[] values) {
    int at = device * Columns.COUNT;
    if (before == null) {
      Arrays.fill(values, at, at + Columns.COUNT, Double.NaN);
      return;
    }
    for (int column = 0; column < Columns.COUNT; column++) {
      double delta = tick.values[at + column] - previous.values[before * Columns.COUNT + column];
      if (delta < 0) {
        Arrays.fill(values, at, at + Columns.COUNT, Double.NaN);
        return;
      }
      values[at + column] = delta;
    }
  }

  private static Map<String, Integer> positions(Tick tick) {
    Map<String, Integer> positions = new HashMap<>();
    for (int device = 0; device < tick.deviceIds.length; device++) {
      positions.put(tick.deviceIds[device], device);
    }
    return positions;
  }
}
