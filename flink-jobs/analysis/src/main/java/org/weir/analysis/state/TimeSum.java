package org.weir.analysis.state;

import org.jspecify.annotations.Nullable;

/**
 * Adds non-negative doubles up so that the sum does not depend on their order: each is rounded to a
 * multiple of 2^-52 and added as integers. A negative or non-finite part is unknown (Darshan writes
 * such times when a clock stepped back): the sum is then of the other parts, a lower bound.
 */
public final class TimeSum {
  private static final long UNIT = 1L << 52;

  private long whole;
  private long fraction;
  private boolean lacksParts;

  public void add(double part) {
    if (!(part >= 0 && part < Long.MAX_VALUE)) {
      lacksParts = true;
      return;
    }
    long partWhole = (long) part;
    addParts(partWhole, Math.round((part - partWhole) * UNIT));
  }

  public void merge(TimeSum other) {
    lacksParts |= other.lacksParts;
    addParts(other.whole, other.fraction);
  }

  private void addParts(long partWhole, long partFraction) {
    fraction += partFraction;
    long carry = fraction / UNIT;
    fraction %= UNIT;
    if (whole + partWhole + carry < 0) {
      lacksParts = true;
      whole = Long.MAX_VALUE;
    } else {
      whole += partWhole + carry;
    }
  }

  /** Every part is known. */
  public boolean isAvailable() {
    return !lacksParts;
  }

  /** The sum of the known parts. */
  public double value() {
    return whole + (double) fraction / UNIT;
  }

  /**
   * The sum of the known parts where that says something: null where a part is unknown and nothing
   * else was measured.
   */
  public @Nullable Double known() {
    return lacksParts && value() == 0 ? null : Double.valueOf(value());
  }

  public void write(StateBytes.Out out) {
    out.writeBoolean(lacksParts);
    out.writePacked(whole);
    out.writePacked(fraction);
  }

  /** Adds a sum that was written. */
  public void read(StateBytes.In in) {
    lacksParts |= in.readBoolean();
    addParts(in.readPacked(), in.readPacked());
  }
}
