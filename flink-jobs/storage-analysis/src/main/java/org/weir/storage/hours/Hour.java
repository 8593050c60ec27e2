package org.weir.storage.hours;

import java.util.Collection;
import org.weir.load.sample.Columns;

/**
 * What a server or file system did in one hour.
 *
 * @param first the first of its buckets, which says whose it is
 * @param start microseconds
 * @param sums {@link Columns#COUNT}
 */
record Hour(
    HourPart first,
    long start,
    double[] sums,
    double sampledSeconds,
    double utilMean,
    double utilMax,
    double peakBytesPerSecond,
    long samples) {

  /** Adds buckets up; at least one, in the order of time. */
  static Hour of(long start, Collection<HourPart> buckets) {
    double[] sums = new double[Columns.COUNT];
    double seconds = 0;
    double utilSeconds = 0;
    double utilMax = 0;
    double peak = 0;
    long samples = 0;
    for (HourPart bucket : buckets) {
      for (int column = 0; column < Columns.COUNT; column++) {
        sums[column] += bucket.sums[column];
      }
      double bytes = bucket.sums[Columns.BYTES_READ] + bucket.sums[Columns.BYTES_WRITTEN];
      seconds += bucket.bucketSeconds;
      utilSeconds += bucket.utilMean * bucket.bucketSeconds;
      utilMax = Math.max(utilMax, bucket.utilMax);
      peak = Math.max(peak, bytes / bucket.bucketSeconds);
      samples += bucket.samples;
    }
    HourPart first = buckets.iterator().next();
    return new Hour(first, start, sums, seconds, utilSeconds / seconds, utilMax, peak, samples);
  }
}
