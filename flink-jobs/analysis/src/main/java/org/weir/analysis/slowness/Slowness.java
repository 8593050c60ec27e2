package org.weir.analysis.slowness;

import org.jspecify.annotations.Nullable;
import org.weir.analysis.evidence.EvidenceClass;
import org.weir.analysis.evidence.Feature;
import org.weir.analysis.run.RunFeatures;
import org.weir.site.Site;

/**
 * Decides whether a run is slow: whether the time that it lost to I/O reaches the seconds and the
 * share of its run time that the site states.
 */
final class Slowness {

  /**
   * An I/O time that is a lower bound may be this many times as long. HDF5 took 1.2 and 1.3 times
   * what MPI-IO below it did in collective runs whose program reported its own time.
   */
  private static final double MOST_UNSEEN = 2;

  private Slowness() {}

  /**
   * Decides for a run; null where it is unknown. Without a reference the time lost is still no more
   * than the I/O time.
   *
   * @param lost I/O time beyond the reference's, seconds; null if unknown
   */
  static @Nullable Boolean of(RunFeatures run, @Nullable Double lost, Site site) {
    Feature ioTime = run.feature("io_time_seconds");
    Double seconds = ioTime.value();
    boolean ended = run.runTimeSeconds() >= 0;
    if (seconds == null || ioTime.incomplete() || !ended || run.hasOverlappingTimes()) {
      return null;
    }
    double unseen = most(seconds, ioTime.evidence()) - seconds;
    if (!reachesThresholds(seconds + unseen, run, site)) {
      return false;
    }
    if (lost == null || reachesThresholds(lost, run, site)) {
      return lost == null ? null : Boolean.TRUE;
    }
    return reachesThresholds(lost + unseen, run, site) ? null : Boolean.FALSE;
  }

  private static double most(double ioSeconds, EvidenceClass evidence) {
    return evidence == EvidenceClass.EXACT ? ioSeconds : MOST_UNSEEN * ioSeconds;
  }

  /** Whether a loss of so many seconds makes a run slow. */
  static boolean reachesThresholds(double seconds, RunFeatures run, Site site) {
    return seconds >= site.slowThresholdSeconds()
        && seconds >= site.slowThresholdShare() * run.runTimeSeconds();
  }
}
