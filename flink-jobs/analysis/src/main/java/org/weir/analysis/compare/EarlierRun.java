package org.weir.analysis.compare;

import org.jspecify.annotations.Nullable;
import org.weir.analysis.evidence.EvidenceClass;
import org.weir.analysis.evidence.Feature;
import org.weir.analysis.log.LogState;
import org.weir.analysis.run.RunFeatures;

/**
 * What is kept of a run to compare later runs of the same application with.
 *
 * @param endTime UTC microseconds
 * @param bytes application bytes
 * @param mibPerSecond {@code bytes} / I/O time
 */
public record EarlierRun(
    String logId, long endTime, long nprocs, double bytes, double mibPerSecond) {

  /** As little is decided by a page cache or one open. */
  private static final double LEAST_BYTES = 16 << 20;

  /**
   * Keeps what later runs compare with; null if it cannot be compared with: tiny, without usable
   * times, or of a log that is not complete, which another one can still replace.
   */
  public static @Nullable EarlierRun of(String logId, RunFeatures run) {
    Feature bytes = run.feature("application_bytes");
    Feature speed = run.feature("mib_per_second");
    boolean usable =
        run.logState() == LogState.COMPLETE
            && run.filesystem() != null
            && exactly(bytes)
            && isComparable(speed)
            && bytes.requiredValue() >= LEAST_BYTES
            && speed.requiredValue() > 0;
    return usable
        ? new EarlierRun(
            logId, run.endTime(), run.nprocs(), bytes.requiredValue(), speed.requiredValue())
        : null;
  }

  private static boolean exactly(Feature feature) {
    return feature.isKnown() && feature.evidence() == EvidenceClass.EXACT;
  }

  /** Under HDF5 the rate is an upper bound, by about the same in each run of a program. */
  private static boolean isComparable(Feature speed) {
    return exactly(speed) || (speed.isKnown() && speed.evidence() == EvidenceClass.UPPER_BOUND);
  }

  /** Processes and volume within twice each other's. */
  boolean comparesWith(EarlierRun other) {
    return within2(nprocs, other.nprocs) && within2(bytes, other.bytes);
  }

  private static boolean within2(double a, double b) {
    return a <= 2 * b && b <= 2 * a;
  }
}
