package org.weir.analysis.state;

import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Bytes over the time of a run, in at most {@value #SLOTS} slots whose width doubles as the run
 * grows longer. Seconds count from the run's start. The same intervals in any order and split give
 * the same grid: an interval's bytes are dealt out by a rounded running total, so that two fine
 * slots always add up to the coarse one.
 */
public final class BusyGrid {
  static final int SLOTS = 1_024;
  private static final int FINEST_EXPONENT = -4;

  /** Beyond this a timestamp is damage: 2^26 s are two years. */
  private static final double LONGEST_SECONDS = 1 << 26;

  /** Ends of the slots, in slots. */
  private static final double[] ENDS = IntStream.rangeClosed(1, SLOTS).asDoubleStream().toArray();

  private int exponent = FINEST_EXPONENT;
  private final long[] read = new long[SLOTS];
  private final long[] written = new long[SLOTS];
  private boolean unplaced;

  /** For the interval that is being added; null before the first. */
  private double @Nullable [] scratch;

  /** Bytes moved in one slot, from and to in seconds. */
  public interface Visitor {
    void slot(double from, double to, long bytesRead, long bytesWritten);
  }

  /** Bytes read evenly from one second to another; an impossible interval is only noted. */
  public void addRead(double from, double to, long bytes) {
    add(read, from, to, bytes);
  }

  /** Bytes written evenly from one second to another; an impossible interval is only noted. */
  public void addWritten(double from, double to, long bytes) {
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
    // In slots: their width is a power of two, so that nothing is rounded.
    double begin = from / width;
    double length = (to - from) / width;
    double all = bytes;
    int first = (int) begin;
    int last = (int) (to / width);
    double[] until = scratch();
    // A loop of arithmetic alone, of which the JVM computes several slots at once.
    for (int slot = first; slot < last; slot++) {
      until[slot] = all * ((ENDS[slot] - begin) / length);
    }
    long before = 0;
    for (int slot = first; slot < last; slot++) {
      long whole = (long) until[slot];
      put(slots, slot, whole - before);
      before = whole;
    }
    put(slots, last, bytes - before);
  }

  private double[] scratch() {
    if (scratch == null) {
      scratch = new double[SLOTS];
    }
    return scratch;
  }

  private static void put(long[] slots, int slot, long bytes) {
    long sum = slots[slot] + bytes;
    slots[slot] = sum < 0 ? Long.MAX_VALUE : sum;
  }

  private void coarsenFor(double to) {
    int enough = exponent;
    while (to / Math.scalb(1.0, enough) >= SLOTS) {
      enough++;
    }
    coarsenTo(enough);
  }

  private void coarsenTo(int coarser) {
    int shift = coarser - exponent;
    if (shift <= 0) {
      return;
    }
    exponent = coarser;
    for (long[] slots : new long[][] {read, written}) {
      for (int slot = 0; slot < SLOTS; slot++) {
        long bytes = slots[slot];
        slots[slot] = 0;
        put(slots, slot >> shift, bytes);
      }
    }
  }

  private double width() {
    return Math.scalb(1.0, exponent);
  }

  /** Some bytes had no possible interval: they are in no slot. */
  public boolean isIncomplete() {
    return unplaced;
  }

  /** The slots that moved anything, in the order of time. */
  public void visit(Visitor visitor) {
    double width = width();
    for (int slot = 0; slot < SLOTS; slot++) {
      if (read[slot] > 0 || written[slot] > 0) {
        visitor.slot(slot * width, (slot + 1) * width, read[slot], written[slot]);
      }
    }
  }

  public void write(StateBytes.Out out) {
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

  /** Adds what was written. */
  public void read(StateBytes.In in) {
    int ofOther = in.readByte();
    unplaced |= in.readBoolean();
    coarsenTo(ofOther);
    int shift = exponent - ofOther;
    for (int slot = in.readShort(); slot < SLOTS; slot = in.readShort()) {
      put(read, slot >> shift, in.readLong());
      put(written, slot >> shift, in.readLong());
    }
  }
}
