package org.weir.wire;

/**
 * Versions of rows: an unsigned 64-bit number made of every input that can change the row, the
 * weightiest first. A later or fuller state of knowledge is larger; equal versions mean equal
 * content. Fields, high to low:
 *
 * <pre>
 * run:        revision 16 | share of batches analysed 8 | scheduler rank 4 | share of load buckets closed 4 | newest second 32
 * job result: revision 16 | scheduler rank 4 | settled 1 | logs analysed, saturating 11             | newest second 32
 * </pre>
 */
public final class Version {
  private static final int LOGS_BITS = 11;
  private static final int SECOND_BITS = 32;

  private Version() {}

  /**
   * Of a run's row and of its findings.
   *
   * @param revision of code, rules and site in force, 0 to 65,535
   * @param batchesAnalysed of the log, {@code batchesExpected} once nothing is missing
   * @param batchesExpected 0: the log has none and is whole. Unknown (no LogEnd yet): pass more
   *     than {@code batchesAnalysed}
   * @param stateRank of the scheduler's state, 0 to 3; 0 also where the run is not joined
   * @param bucketsExpected 0: nothing to wait for
   * @param newestSecond newest Unix second among the inputs' own versions
   */
  public static long ofRun(
      int revision,
      long batchesAnalysed,
      long batchesExpected,
      int stateRank,
      long bucketsClosed,
      long bucketsExpected,
      long newestSecond) {
    long version = field("revision", revision, 16);
    version = version << 8 | share(batchesAnalysed, batchesExpected, 255);
    version = version << 4 | field("rank of the scheduler's state", stateRank, 4);
    version = version << 4 | share(bucketsClosed, bucketsExpected, 15);
    return version << SECOND_BITS | second(newestSecond);
  }

  /** Of a job result; arguments as in {@link #ofRun}. Above 2,047 logs the count stands still. */
  public static long ofJobResult(
      int revision, int stateRank, boolean settled, long logsAnalysed, long newestSecond) {
    long version = field("revision", revision, 16);
    version = version << 4 | field("rank of the scheduler's state", stateRank, 4);
    version = version << 1 | (settled ? 1 : 0);
    version = version << LOGS_BITS | Math.min(logsAnalysed, (1 << LOGS_BITS) - 1);
    return version << SECOND_BITS | second(newestSecond);
  }

  /** Share of a whole in steps; the top step is reached only by the whole. */
  private static long share(long part, long whole, int top) {
    if (part >= whole) {
      return top;
    }
    return Math.min(top - 1, (long) ((double) part / whole * top));
  }

  private static long field(String name, long value, int bits) {
    if (value < 0 || value >= 1L << bits) {
      throw new IllegalArgumentException(
          "version: " + name + " is " + value + ", expected 0 to " + ((1L << bits) - 1));
    }
    return value;
  }

  private static long second(long unixSecond) {
    return Math.max(0, Math.min(unixSecond, (1L << SECOND_BITS) - 1));
  }
}
