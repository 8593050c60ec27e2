package org.weir.analysis;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Bytes over the time of a run, in at most {@value #SLOTS} slots whose width doubles as the run
 * grows longer. Seconds count from the run's start. The same intervals in any order and split give
 * the same grid: an interval's bytes are dealt out by a rounded running total, so that two fine
 * slots always add up to the coarse one.
 */
final class BusyGrid {
  static final int SLOTS = 1_024;
  private static final int FINEST_EXPONENT = -4;

  /** Beyond this a timestamp is damage: 2^26 s are two years. */
  private static final double LONGEST_SECONDS = 1 << 26;

  private int exponent = FINEST_EXPONENT;
  private final long[] read = new long[SLOTS];
  private final long[] written = new long[SLOTS];
  private boolean unplaced;

  /** Bytes moved in one slot, from and to in seconds. */
  interface Visitor {
    void slot(double from, double to, long bytesRead, long bytesWritten);
  }

  /** Bytes read evenly from one second to another; an impossible interval is only noted. */
  void addRead(double from, double to, long bytes) {
    add(read, from, to, bytes);
  }

  /** Bytes written evenly from one second to another; an impossible interval is only noted. */
  void addWritten(double from, double to, long bytes) {
    add(written, from, to, bytes);
  }

  private void add(long[] slots, double from, double to, long bytes) {
    if (bytes <= 0) {
      return;
    }
    if (!(from >= 0 && to >= from && to > 0 && to < LONGEST_SECONDS)) {
      unplaced = true;
      return;
    }
    coarsenFor(to);
    double width = width();
    int last = (int) (to / width);
    long before = 0;
    for (int slot = (int) (from / width); slot < last; slot++) {
      long until = (long) (bytes * (((slot + 1) * width - from) / (to - from)));
      put(slots, slot, until - before);
      before = until;
    }
    put(slots, last, bytes - before);
  }

  private static void put(long[] slots, int slot, long bytes) {
    long sum = slots[slot] + bytes;
    slots[slot] = sum < 0 ? Long.MAX_VALUE : sum;
  }

  void merge(BusyGrid other) {
    unplaced |= other.unplaced;
    while (exponent < other.exponent) {
      coarsen();
    }
    int shift = exponent - other.exponent;
    for (int slot = 0; slot < SLOTS; slot++) {
      put(read, slot >> shift, other.read[slot]);
      put(written, slot >> shift, other.written[slot]);
    }
  }

  private void coarsenFor(double to) {
    while (to / width() >= SLOTS) {
      coarsen();
    }
  }

  private void coarsen() {
    exponent++;
    for (long[] slots : new long[][] {read, written}) {
      for (int slot = 0; slot < SLOTS; slot++) {
        long bytes = slots[slot];
        slots[slot] = 0;
        put(slots, slot >> 1, bytes);
      }
    }
  }

  private double width() {
    return Math.scalb(1.0, exponent);
  }

  /** Some bytes had no possible interval: they are in no slot. */
  boolean isIncomplete() {
    return unplaced;
  }

  /** The slots that moved anything, in the order of time. */
  void visit(Visitor visitor) {
    double width = width();
    for (int slot = 0; slot < SLOTS; slot++) {
      if (read[slot] > 0 || written[slot] > 0) {
        visitor.slot(slot * width, (slot + 1) * width, read[slot], written[slot]);
      }
    }
  }

  void write(DataOutput out) throws IOException {
    out.writeByte(exponent);
    out.writeBoolean(unplaced);
    for (int slot = 0; slot < SLOTS; slot++) {
      if (read[slot] > 0 || written[slot] > 0) {
        out.writeShort(slot);
        out.writeLong(read[slot]);
        out.writeLong(written[slot]);
      }
    }
    out.writeShort(SLOTS);
  }

  static BusyGrid read(DataInput in) throws IOException {
    BusyGrid grid = new BusyGrid();
    grid.exponent = in.readByte();
    grid.unplaced = in.readBoolean();
    for (int slot = in.readShort(); slot < SLOTS; slot = in.readShort()) {
      grid.read[slot] = in.readLong();
      grid.written[slot] = in.readLong();
    }
    return grid;
  }
}
