package org.weir.analysis;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Sum of a counter over records. One record that did not collect it (-1, or any negative: damage),
 * or a sum beyond 2^63, makes the whole sum unavailable.
 */
final class Count {
  private long value;
  private boolean unavailable;

  void add(long counter) {
    if (counter < 0 || value + counter < 0) {
      makeUnavailable();
    } else if (!unavailable) {
      value += counter;
    }
  }

  void merge(Count other) {
    if (other.unavailable) {
      makeUnavailable();
    } else {
      add(other.value);
    }
  }

  private void makeUnavailable() {
    unavailable = true;
    value = 0;
  }

  boolean isAvailable() {
    return !unavailable;
  }

  /** The sum; 0 where it is unavailable. */
  long value() {
    return value;
  }

  void write(DataOutput out) throws IOException {
    PackedLong.write(out, unavailable ? 0 : value + 1);
  }

  static Count read(DataInput in) throws IOException {
    Count count = new Count();
    count.add(PackedLong.read(in) - 1);
    return count;
  }
}
