package org.weir.analysis.state;

import java.util.TreeSet;

/**
 * Number of distinct record ids in bounded memory. Record ids are hashes, so the smallest {@value
 * #KEPT} of them also estimate how many there are in all (k minimum values; standard error
 * 1/sqrt(k), below 1 %).
 */
public final class DistinctIds {
  public static final int KEPT = 16_384;

  private final TreeSet<Long> smallest = new TreeSet<>(Long::compareUnsigned);
  private boolean truncated;

  public void add(long id) {
    smallest.add(id);
    if (smallest.size() > KEPT) {
      smallest.pollLast();
      truncated = true;
    }
  }

  public void merge(DistinctIds other) {
    other.smallest.forEach(this::add);
    truncated |= other.truncated;
  }

  public boolean isExact() {
    return !truncated;
  }

  public double value() {
    if (!truncated) {
      return smallest.size();
    }
    double largest = (smallest.last() >>> 1) + 1.0;
    return Math.rint((KEPT - 1) * (0x1p63 / largest));
  }

  public void write(StateBytes.Out out) {
    out.writeBoolean(truncated);
    out.writeInt(smallest.size());
    for (long id : smallest) {
      out.writeLong(id);
    }
  }

  /** Adds what was written. */
  public void read(StateBytes.In in) {
    truncated |= in.readBoolean();
    int size = in.readInt();
    for (int i = 0; i < size; i++) {
      add(in.readLong());
    }
  }
}
