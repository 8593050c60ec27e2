package org.weir.analysis.run;

/**
 * What a run moved on one storage target: its files' bytes and seconds, each divided by the file's
 * number of targets.
 *
 * @param target OST index
 * @param seconds READ + WRITE, summed over ranks
 */
public record TargetRate(String filesystem, long target, long files, double bytes, double seconds) {
  private static final double MIB = 1 << 20;

  /** 0 where it took no time. */
  public double mibPerSecond() {
    return seconds == 0 ? 0 : bytes / MIB / seconds;
  }
}
