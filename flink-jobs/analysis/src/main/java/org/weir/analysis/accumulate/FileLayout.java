package org.weir.analysis.accumulate;

import java.util.TreeSet;
import org.weir.analysis.state.StateBytes;

/**
 * Keeps the Lustre striping of one file, from rows of LUSTRE batches: sets and maxima, so that the
 * rows of 1,024 unreduced records say no more than those of one. What a row is, {@code
 * schemas/darshan/modules.yaml} declares.
 */
public final class FileLayout {
  /** A file on more targets than this is even over them, and its list is cut. */
  static final int KEPT = 64;

  private final TreeSet<Long> targets = new TreeSet<>();
  private boolean truncated;
  private long stripeCount;
  private long stripeSize;

  void add(long ostId, long componentStripeCount, long componentStripeSize) {
    if (ostId < 0) {
      return;
    }
    stripeCount = Math.max(stripeCount, componentStripeCount);
    stripeSize = Math.max(stripeSize, componentStripeSize);
    addTarget(ostId);
  }

  private void addTarget(long ostId) {
    targets.add(ostId);
    if (targets.size() > KEPT) {
      targets.pollLast();
      truncated = true;
    }
  }

  /** Storage targets (OSTs) in their order; not all where {@link #isComplete} says no. */
  public Iterable<Long> targets() {
    return targets;
  }

  public boolean isComplete() {
    return !truncated;
  }

  /** The stripe count of its widest component that has targets; 0 if none has. */
  public long stripeCount() {
    return stripeCount;
  }

  /** Bytes, of the component with the largest stripes. */
  public long stripeSize() {
    return stripeSize;
  }

  /** Distinct targets that hold parts of it. */
  public long targetCount() {
    return truncated ? Math.max(stripeCount, KEPT) : targets.size();
  }

  void write(StateBytes.Out out) {
    out.writeBoolean(truncated);
    out.writePacked(stripeCount);
    out.writePacked(stripeSize);
    out.writeByte(targets.size());
    for (long target : targets) {
      out.writePacked(target);
    }
  }

  /** Adds what was written. */
  void read(StateBytes.In in) {
    truncated |= in.readBoolean();
    stripeCount = Math.max(stripeCount, in.readPacked());
    stripeSize = Math.max(stripeSize, in.readPacked());
    int size = in.readByte();
    for (int i = 0; i < size; i++) {
      addTarget(in.readPacked());
    }
  }
}
