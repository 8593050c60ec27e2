package org.weir.load.gather;

import org.weir.load.sample.Sample;

/**
 * Decides whether a sample comes too late to be counted, and with that how long samples are kept:
 * both by the newest sample of their server, not by the clock.
 */
final class Lateness {

  private final long retentionMicros;

  /**
   * Decides by a retention.
   *
   * @param retentionMicros how far behind the newest sample one is still taken in
   */
  Lateness(long retentionMicros) {
    this.retentionMicros = retentionMicros;
  }

  /** Decides whether a sample is further behind the newest one of its server than the retention. */
  boolean isTooLate(ServerProgress at, Sample sample) {
    return at.newestSample != Long.MIN_VALUE && sample.time <= at.newestSample - retentionMicros;
  }

  /**
   * Returns the time up to which samples are forgotten. They are kept a tenth longer than they are
   * taken in, so that those beside a late one are still there.
   */
  long forgottenUntil(ServerProgress at) {
    return at.newestSample - retentionMicros - retentionMicros / 10;
  }

  /** Returns the time that the newest sample must reach before samples are forgotten again. */
  long nextPruneAt(ServerProgress at) {
    return at.newestSample + retentionMicros / 10;
  }
}
