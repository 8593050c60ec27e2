package org.weir.analysis.compare;

import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How fast the same application moved as much data with as many processes before: runs of the same
 * user, executable, file system and direction that ended earlier.
 *
 * @param runs compared with
 * @param until end of the newest of them, UTC microseconds; null if there is none
 * @param p10 10th percentile of their MiB/s, interpolated between neighbors; null likewise
 * @param median of their MiB/s; null likewise
 */
public record Baseline(
    int runs, @Nullable Long until, @Nullable Double p10, @Nullable Double median) {
  /** Nothing to compare with. */
  public static final Baseline NONE = new Baseline(0, null, null, null);

  /**
   * The baseline of a run.
   *
   * @param known of the same application, the run itself and later ones among them
   */
  public static Baseline of(EarlierRun run, Collection<EarlierRun> known) {
    List<EarlierRun> before =
        known.stream()
            .filter(other -> other.endTime() < run.endTime() && run.comparesWith(other))
            .toList();
    if (before.isEmpty()) {
      return NONE;
    }
    double[] rates = before.stream().mapToDouble(EarlierRun::mibPerSecond).sorted().toArray();
    long until = before.stream().mapToLong(EarlierRun::endTime).max().orElseThrow();
    return new Baseline(rates.length, until, quantile(rates, 0.1), quantile(rates, 0.5));
  }

  private static double quantile(double[] sorted, double share) {
    double position = share * (sorted.length - 1);
    int below = (int) position;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
  }
}
