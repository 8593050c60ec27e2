package org.weir.analysis;

import java.util.Map;

/**
 * Bounds of the number of ranks that did a module's bytes: (sum b)^2 / sum(b^2) over the n ranks,
 * between 1 (one rank did it all) and n (even).
 *
 * <p>It follows from the Euclidean length D of the ranks' deviations from their mean: {@code N =
 * B^2 / (D^2 + B^2/n)}. A reduced record tells its own D as {@code sqrt(n *
 * F_VARIANCE_RANK_BYTES)}. Over several records D lies between what the triangle inequality leaves,
 * and so N is bounded.
 */
record EffectiveRanks(double lower, double upper) {
  /** A heatmap that misses more than this share of the module's bytes does not stand for them. */
  private static final double HEATMAP_TOLERANCE = 0.01;

  private static final double HEATMAP_TOLERANCE_BYTES = 4_096;
  private static final double SAME = 1e-6;

  /** Digits beyond the sixth are those of the arithmetic. */
  private static final double ROUNDING = 1e6;

  /** Both bounds are the same number, rounding apart. */
  boolean isExact() {
    return upper - lower <= SAME * upper;
  }

  /**
   * Of the bytes on listed file systems.
   *
   * @param n processes
   * @param listed records there, which moved something
   * @param elsewhere records of the same module on other mounts and standard streams
   * @param heatmap of the module, or null
   */
  static EffectiveRanks of(
      long n, ModuleTotals listed, ModuleTotals elsewhere, HeatmapTotals heatmap) {
    EffectiveRanks ofRecords = ofRecords(n, listed);
    if (ofRecords.isExact() || heatmap == null || !standsFor(heatmap, listed, elsewhere)) {
      return ofRecords;
    }
    EffectiveRanks ofHeatmap = ofHeatmap(n, listed, elsewhere, heatmap);
    double ownWidth = ofRecords.upper - ofRecords.lower;
    return ofHeatmap.upper - ofHeatmap.lower < ownWidth ? ofHeatmap : ofRecords;
  }

  static EffectiveRanks ofRecords(long n, ModuleTotals totals) {
    if (!totals.ranks.isComplete() || !totals.spreadDeviation.isAvailable()) {
      return new EffectiveRanks(1, (double) n);
    }
    double known = deviation(n, totals.ranks.entries(), Map.of());
    double sum = known + Math.sqrt((double) n) * totals.spreadDeviation.value();
    double largest = Math.max(known, Math.sqrt((double) n) * totals.largestDeviation);
    return between(n, bytes(totals), Math.max(0, 2 * largest - sum), sum);
  }

  private static EffectiveRanks ofHeatmap(
      long n, ModuleTotals listed, ModuleTotals elsewhere, HeatmapTotals heatmap) {
    boolean known = heatmap.ranks().isComplete() && elsewhere.ranks.isComplete();
    if (!known || !elsewhere.spreadDeviation.isAvailable()) {
      return new EffectiveRanks(1, (double) n);
    }
    double own = deviation(n, heatmap.ranks().entries(), elsewhere.ranks.entries());
    double hidden = Math.sqrt((double) n) * elsewhere.spreadDeviation.value();
    return between(n, bytes(listed), Math.max(0, own - hidden), own + hidden);
  }

  private static boolean standsFor(
      HeatmapTotals heatmap, ModuleTotals listed, ModuleTotals elsewhere) {
    double seen = 0;
    for (RankTable.Entry entry : heatmap.ranks().entries().values()) {
      seen += entry.bytes.value();
    }
    double moved = bytes(listed) + bytes(elsewhere);
    double tolerance = Math.max(HEATMAP_TOLERANCE * moved, HEATMAP_TOLERANCE_BYTES);
    return Math.abs(seen - moved) <= tolerance;
  }

  private static double bytes(ModuleTotals totals) {
    return (double) totals.bytesRead.value() + totals.bytesWritten.value();
  }

  /** Length of the deviations of (bytes - lessBytes) from their mean over n ranks. */
  private static double deviation(
      long n, Map<Long, RankTable.Entry> bytes, Map<Long, RankTable.Entry> lessBytes) {
    double sum = 0;
    for (Map.Entry<Long, RankTable.Entry> rank : bytes.entrySet()) {
      sum += own(rank, lessBytes);
    }
    double mean = sum / n;
    double squares = Math.max(0, n - bytes.size()) * mean * mean;
    for (Map.Entry<Long, RankTable.Entry> rank : bytes.entrySet()) {
      double deviation = own(rank, lessBytes) - mean;
      squares += deviation * deviation;
    }
    return Math.sqrt(squares);
  }

  private static double own(
      Map.Entry<Long, RankTable.Entry> rank, Map<Long, RankTable.Entry> lessBytes) {
    RankTable.Entry less = lessBytes.get(rank.getKey());
    long elsewhere = less == null ? 0 : less.bytes.value();
    return (double) Math.max(0, rank.getValue().bytes.value() - elsewhere);
  }

  private static EffectiveRanks between(
      long n, double bytes, double deviationLower, double deviationUpper) {
    double lower = ofDeviation(n, bytes, deviationUpper);
    double upper = ofDeviation(n, bytes, deviationLower);
    EffectiveRanks ranks = new EffectiveRanks(lower, upper);
    if (!ranks.isExact()) {
      return ranks;
    }
    double rounded = Math.rint(lower * ROUNDING) / ROUNDING;
    return new EffectiveRanks(rounded, rounded);
  }

  /** N_eff of B bytes on n ranks whose deviations from the mean have this Euclidean length. */
  static double ofDeviation(long n, double bytes, double deviation) {
    double squares = deviation * deviation + bytes * bytes / n;
    return Math.min((double) n, Math.max(1, bytes * bytes / squares));
  }
}
