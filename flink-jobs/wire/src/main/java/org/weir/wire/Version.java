package org.weir.wire;

/**
 * Versions of rows: an unsigned 64-bit number that every input that can change the row raises and
 * none lowers. So of two states of what is known the later one wins whatever the order in which
 * their rows arrive, and equal versions mean equal content. Fields, high to low:
 *
 * <pre>
 * run:        revision 16 | log 7 | submits 6 | load 3 | baseline 6 | seconds 26
 * job result: revision 16 | submits 6 | logs 17                    | rest 25
 * </pre>
 */
public final class Version {

  /** Of the field: the whole log. */
  public static final int WHOLE_LOG = 127;

  /** Of the field: the load is closed, or there is none to wait for. */
  public static final int WHOLE_LOAD = 7;

  private static final int MAX_SUBMITS = (1 << 6) - 1;
  private static final int MAX_BASELINE = (1 << 6) - 1;
  private static final int MAX_LOGS = (1 << 17) - 1;

  private Version() {}

  /**
   * Of a run's row and of its findings.
   *
   * @param revision of active rules and site and of the site of its files, 0 to 65,535
   * @param log parts of it analyzed, saturating just below {@link #WHOLE_LOG}
   * @param submits what is known of the submits of its job id; saturates
   * @param load how far it is closed, 0 to {@link #WHOLE_LOAD}
   * @param baseline earlier runs that it is compared with; saturates
   * @param seconds that a later state of the same rank raises; saturates
   */
  public static long ofRun(
      int revision, int log, int submits, int load, int baseline, long seconds) {
    long version = field("revision", revision, 16);
    version = version << 7 | field("parts of the log", log, 7);
    version = version << 6 | Math.min(submits, MAX_SUBMITS);
    version = version << 3 | field("load", load, 3);
    version = version << 6 | Math.min(baseline, MAX_BASELINE);
    return version << 26 | saturated(seconds, 26);
  }

  /**
   * Of a job result.
   *
   * @param submits what is known of the submits of its job id; saturates
   * @param logs how much of how many of its logs is known; saturates
   * @param rest a number that everything else around the job id raises; saturates
   */
  public static long ofJobResult(int revision, int submits, int logs, long rest) {
    long version = field("revision", revision, 16);
    version = version << 6 | Math.min(submits, MAX_SUBMITS);
    version = version << 17 | Math.min(logs, MAX_LOGS);
    return version << 25 | saturated(rest, 25);
  }

  private static long field(String name, long value, int bits) {
    if (value < 0 || value >= 1L << bits) {
      throw new IllegalArgumentException(
          "version: " + name + " is " + value + ", expected 0 to " + ((1L << bits) - 1));
    }
    return value;
  }

  private static long saturated(long seconds, int bits) {
    return Math.max(0, Math.min(seconds, (1L << bits) - 1));
  }
}
