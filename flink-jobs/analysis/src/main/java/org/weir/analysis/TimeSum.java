package org.weir.analysis;

/**
 * Sum of non-negative doubles that does not depend on the order of its parts: each is rounded to a
 * multiple of 2^-52 and added as integers. One negative or non-finite part (Darshan writes such
 * times when a clock stepped back) makes the whole sum unavailable.
 */
final class TimeSum {
  private static final long UNIT = 1L << 52;

  private long whole;
  private long fraction;
  private boolean unavailable;

  void add(double part) {
    if (!(part >= 0 && part < Long.MAX_VALUE)) {
      makeUnavailable();
      return;
    }
    long partWhole = (long) part;
    addParts(partWhole, Math.round((part - partWhole) * UNIT));
  }

  void merge(TimeSum other) {
    if (other.unavailable) {
      makeUnavailable();
    } else {
      addParts(other.whole, other.fraction);
    }
  }

  private void addParts(long partWhole, long partFraction) {
    if (unavailable) {
      return;
    }
    fraction += partFraction;
    long carry = fraction / UNIT;
    fraction %= UNIT;
    whole += partWhole;
    whole += carry;
    if (whole < 0) {
      makeUnavailable();
    }
  }

  private void makeUnavailable() {
    unavailable = true;
    whole = 0;
    fraction = 0;
  }

  boolean isAvailable() {
    return !unavailable;
  }

  /** The sum; 0 where it is unavailable. */
  double value() {
    return whole + (double) fraction / UNIT;
  }

  void write(StateBytes.Out out) {
    out.writePacked(unavailable ? 0 : whole + 1);
    out.writePacked(fraction);
  }

  /** Adds a sum that was written. */
  void read(StateBytes.In in) {
    long partWhole = in.readPacked() - 1;
    long partFraction = in.readPacked();
    if (partWhole < 0) {
      makeUnavailable();
    } else {
      addParts(partWhole, partFraction);
    }
  }
}
