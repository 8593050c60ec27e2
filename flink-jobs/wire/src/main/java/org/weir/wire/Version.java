package org.weir.wire;

import org.jspecify.annotations.NullMarked;

/**
 * Says how much is known of what a row says: components that every input can only raise, the
 * weightiest first. As a number it is unsigned, of 64 bits, and orders rows: of two states of what
 * is known the one with more wins, whatever the order in which their rows arrive, and equal
 * versions mean equal content. What is known from two states together has in each component at
 * least as much as either, so its version is at least as high.
 */
@NullMarked
public sealed interface Version {

  /** The value of {@code log} for the whole log. */
  int WHOLE_LOG = 127;

  /** The value of {@code load} once the load is closed, or where there is none to wait for. */
  int WHOLE_LOAD = 7;

  /** Of a run's {@code baseline}: beyond it the field saturates. */
  int MOST_EARLIER_RUNS = 63;

  /** Returns the number of the row: component after component, high to low. */
  long bits();

  /** Whether a version's number is above another's. */
  static boolean isAbove(long version, long other) {
    return Long.compareUnsigned(version, other) > 0;
  }

  /**
   * Orders the rows of a run and of its findings.
   *
   * @param revision of active rules and site and of the site of its files; 16 bits
   * @param log parts of it analyzed, saturating just below {@link #WHOLE_LOG}; 7 bits
   * @param submits what is known of the submits of its job id; 6 bits, saturates
   * @param load how far it is closed, 0 to {@link #WHOLE_LOAD}; 3 bits
   * @param baseline earlier runs that it is compared with; 6 bits, saturates
   * @param seconds that a later state of the same rank raises; 26 bits, saturates
   */
  record OfRun(int revision, int log, int submits, int load, int baseline, long seconds)
      implements Version {

    public OfRun {
      check("revision", revision, 16);
      check("parts of the log", log, 7);
      check("load", load, 3);
    }

    @Override
    public long bits() {
      long bits = revision;
      bits = bits << 7 | log;
      bits = bits << 6 | saturated(submits, 6);
      bits = bits << 3 | load;
      bits = bits << 6 | saturated(baseline, 6);
      return bits << 26 | saturated(seconds, 26);
    }
  }

  /**
   * Orders the rows of a job's result.
   *
   * @param revision of active rules and site; 16 bits
   * @param submits what is known of the submits of its job id; 6 bits, saturates
   * @param logs how much of how many of its logs is known; 17 bits, saturates
   * @param rest a number that everything else around the job id raises; 25 bits, saturates
   */
  record OfJobResult(int revision, int submits, int logs, long rest) implements Version {

    public OfJobResult {
      check("revision", revision, 16);
    }

    @Override
    public long bits() {
      long bits = revision;
      bits = bits << 6 | saturated(submits, 6);
      bits = bits << 17 | saturated(logs, 17);
      return bits << 25 | saturated(rest, 25);
    }
  }

  private static void check(String name, long value, int bits) {
    if (value < 0 || value >= 1L << bits) {
      throw new IllegalArgumentException(
          "version: " + name + " is " + value + ", expected 0 to " + ((1L << bits) - 1));
    }
  }

  private static long saturated(long value, int bits) {
    return Math.max(0, Math.min(value, (1L << bits) - 1));
  }
}
