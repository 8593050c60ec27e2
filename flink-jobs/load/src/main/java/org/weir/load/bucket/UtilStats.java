package org.weir.load.bucket;

import java.util.Arrays;

/**
 * Utilization over devices, each 0 to 1.
 *
 * @param p95 the smallest value that at least 95 % of the devices do not exceed
 */
public record UtilStats(double mean, double p95, double max) {

  public static UtilStats of(double[] util) {
    if (util.length == 0) {
      return new UtilStats(0, 0, 0);
    }
    double[] sorted = util.clone();
    Arrays.sort(sorted);
    int rank = (int) Math.ceil(0.95 * sorted.length);
    return new UtilStats(
        Arrays.stream(sorted).sum() / sorted.length, sorted[rank - 1], sorted[sorted.length - 1]);
  }
}
