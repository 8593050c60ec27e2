package org.weir.analysis.state;

/**
 * Sum of a counter over records. One record that did not collect it (-1, or any negative: damage),
 * or a sum beyond 2^63, makes the whole sum unavailable.
 */
public final class Count {
  private long value;
  private boolean unavailable;

  public void add(long counter) {
    if (counter < 0 || value + counter < 0) {
      makeUnavailable();
    } else if (!unavailable) {
      value += counter;
    }
  }

  public void merge(Count other) {
    if (other.unavailable) {
      makeUnavailable();
    } else {
      add(other.value);
    }
  }

  public void makeUnavailable() {
    unavailable = true;
    value = 0;
  }

  public boolean isAvailable() {
    return !unavailable;
  }

  /** The sum; 0 where it is unavailable. */
  public long value() {
    return value;
  }

  public void write(StateBytes.Out out) {
    out.writePacked(unavailable ? 0 : value + 1);
  }

  /** Adds a sum that was written. */
  public void read(StateBytes.In in) {
    add(in.readPacked() - 1);
  }
}
