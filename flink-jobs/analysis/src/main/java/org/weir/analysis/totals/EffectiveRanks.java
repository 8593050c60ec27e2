package org.weir.analysis.totals;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.weir.analysis.accumulate.FileUse;
import org.weir.analysis.accumulate.HeatmapTotals;
import org.weir.analysis.accumulate.ModuleTotals;
import org.weir.analysis.accumulate.RankTable;
import org.weir.analysis.log.Direction;
import org.weir.analysis.state.Spread;

/**
 * Bounds of the number of ranks that did a module's bytes: (sum b)^2 / sum(b^2) over the n ranks,
 * between 1 (one rank did it all) and n (even). And bounds of the largest rank's share.
 *
 * <p>It follows from the Euclidean length D of the ranks' deviations from their mean: {@code N =
 * B^2 / (D^2 + B^2/n)}. A reduced record gives its own D as {@code sqrt(n *
 * F_VARIANCE_RANK_BYTES)}. Over several records D lies between what the triangle inequality leaves,
 * and so N is bounded.
 */
public record EffectiveRanks(double lower, double upper, double shareLower, double shareUpper) {
  /** A heatmap that misses more than this share of the module's bytes does not stand for them. */
  private static final double HEATMAP_TOLERANCE = 0.01;

  private static final double HEATMAP_TOLERANCE_BYTES = 4_096;
  private static final double SAME = 1e-6;

  /** Digits beyond the sixth are those of the arithmetic. */
  private static final double ROUNDING = 1e6;

  /** Both bounds are the same number, rounding apart. */
  public boolean isExact() {
    return upper - lower <= SAME * upper;
  }

  public boolean isShareExact() {
    return shareUpper - shareLower <= SAME * shareUpper;
  }

  /**
   * Computes it for the bytes on listed file systems.
   *
   * @param n processes
   * @param listed records there, which moved something in this direction
   * @param elsewhere records of the same module on other mounts and standard streams
   * @param heatmap of the module; null where the log has none, or not all of it
   */
  public static EffectiveRanks of(
      long n,
      ModuleTotals listed,
      ModuleTotals elsewhere,
      @Nullable HeatmapTotals heatmap,
      Direction direction) {
    EffectiveRanks ofRecords = ofRecords(n, listed, direction);
    boolean exact = ofRecords.isExact() && ofRecords.isShareExact();
    if (exact || heatmap == null || !standsFor(heatmap, listed, elsewhere, direction)) {
      return ofRecords;
    }
    EffectiveRanks ofHeatmap = ofHeatmap(n, listed, elsewhere, heatmap, direction);
    double ownWidth = ofRecords.shareUpper - ofRecords.shareLower;
    return ofHeatmap.shareUpper - ofHeatmap.shareLower < ownWidth ? ofHeatmap : ofRecords;
  }

  static EffectiveRanks ofRecords(long n, ModuleTotals totals, Direction direction) {
    Spread spread = totals.spread(direction);
    if (!totals.ranks.isComplete() || !spread.isAvailable()) {
      return unknown(n);
    }
    Map<Long, Double> known = new TreeMap<>();
    double mostKnown = 0;
    for (Map.Entry<Long, RankTable.Entry> rank : totals.ranks.entries().entrySet()) {
      double bytes = rank.getValue().bytes(direction);
      known.put(rank.getKey(), bytes);
      double slowest =
          direction == Direction.BOTH ? (double) rank.getValue().slowestBytes.value() : 0;
      mostKnown = Math.max(mostKnown, bytes + slowest);
    }
    double own = deviation(n, known);
    double hidden = Math.sqrt((double) n) * spread.deviation.value() + spread.unknownBytes.value();
    double largest = Math.max(own, Math.sqrt((double) n) * spread.largest);
    Bytes bytes = new Bytes(n, totals.bytes(direction), mostKnown, hidden == 0);
    return bytes.between(Math.max(0, 2 * largest - own - hidden), own + hidden);
  }

  private static EffectiveRanks ofHeatmap(
      long n,
      ModuleTotals listed,
      ModuleTotals elsewhere,
      HeatmapTotals heatmap,
      Direction direction) {
    Spread other = elsewhere.spread(direction);
    boolean known = heatmap.ranks().isComplete() && elsewhere.ranks.isComplete();
    if (!known || !other.isAvailable()) {
      return unknown(n);
    }
    Map<Long, Double> ranks = new TreeMap<>();
    Map<Long, RankTable.Entry> less = elsewhere.ranks.entries();
    heatmap
        .ranks()
        .entries()
        .forEach(
            (rank, entry) -> {
              RankTable.Entry there = less.get(rank);
              double bytes = there == null ? 0 : there.bytes(direction);
              ranks.put(rank, Math.max(0, entry.bytes(direction) - bytes));
            });
    double hidden = Math.sqrt((double) n) * other.deviation.value() + other.unknownBytes.value();
    double own = deviation(n, ranks);
    double most = ranks.values().stream().mapToDouble(b -> b).max().orElse(0);
    Bytes bytes = new Bytes(n, listed.bytes(direction), hidden == 0 ? most : 0, hidden == 0);
    return bytes.between(Math.max(0, own - hidden), own + hidden);
  }

  /** Computes it for files of one module that moved something, both directions together. */
  public static EffectiveRanks ofFiles(long n, List<FileUse> files) {
    Map<Long, Double> known = new TreeMap<>();
    double total = 0;
    double hidden = 0;
    double largest = 0;
    for (FileUse file : files) {
      total += file.bytes();
      if (file.onlyRank() >= 0) {
        known.merge(file.onlyRank(), file.bytes(), Double::sum);
      } else if (file.bytes() > 0) {
        double deviation = file.deviation(n);
        if (Double.isNaN(deviation)) {
          return unknown(n);
        }
        hidden += deviation;
        largest = Math.max(largest, deviation);
      }
    }
    double own = deviation(n, known);
    double most = known.values().stream().mapToDouble(b -> b).max().orElse(0);
    Bytes bytes = new Bytes(n, total, most, hidden == 0);
    return bytes.between(Math.max(0, 2 * Math.max(own, largest) - own - hidden), own + hidden);
  }

  private static boolean standsFor(
      HeatmapTotals heatmap, ModuleTotals listed, ModuleTotals elsewhere, Direction direction) {
    double seen = 0;
    for (RankTable.Entry entry : heatmap.ranks().entries().values()) {
      seen += entry.bytes(direction);
    }
    double moved = listed.bytes(direction) + elsewhere.bytes(direction);
    double tolerance = Math.max(HEATMAP_TOLERANCE * moved, HEATMAP_TOLERANCE_BYTES);
    return Math.abs(seen - moved) <= tolerance;
  }

  /** Length of the deviations of the bytes from their mean over n ranks. */
  private static double deviation(long n, Map<Long, Double> bytes) {
    double mean = bytes.values().stream().mapToDouble(b -> b).sum() / n;
    double squares = Math.max(0, n - bytes.size()) * mean * mean;
    for (double b : bytes.values()) {
      squares += (b - mean) * (b - mean);
    }
    return Math.sqrt(squares);
  }

  private static EffectiveRanks unknown(long n) {
    return new EffectiveRanks(1, (double) n, 1.0 / n, 1);
  }

  /**
   * Bytes whose spread is known up to two bounds.
   *
   * @param mostKnown bytes that one rank surely did
   * @param allKnown no rank did more
   */
  private record Bytes(long n, double total, double mostKnown, boolean allKnown) {
    EffectiveRanks between(double deviationLower, double deviationUpper) {
      double from = ofDeviation(n, total, deviationUpper);
      double to = ofDeviation(n, total, deviationLower);
      double known = Math.min(1, mostKnown / total);
      double most = Math.min(1, (1 + Math.sqrt((n - 1.0) * Math.max(0, n / from - 1))) / n);
      double least = Math.min(most, Math.max(known, 1 / to));
      EffectiveRanks ranks = new EffectiveRanks(from, to, least, most);
      if (ranks.isExact()) {
        double rounded = Math.rint(from * ROUNDING) / ROUNDING;
        ranks = new EffectiveRanks(rounded, rounded, least, most);
      }
      return allKnown ? new EffectiveRanks(ranks.lower, ranks.upper, known, known) : ranks;
    }
  }

  /** N_eff of B bytes on n ranks whose deviations from the mean have this Euclidean length. */
  static double ofDeviation(long n, double bytes, double deviation) {
    double squares = deviation * deviation + bytes * bytes / n;
    return Math.min((double) n, Math.max(1, bytes * bytes / squares));
  }
}
