package org.weir.analysis.state;

/**
 * How unevenly the ranks moved the bytes of shared (rank -1) records, each of which gives only the
 * variance of its own read and written bytes together. A rank that did all of a record is known by
 * itself ({@code RankTable}) and not in here.
 */
public final class Spread {
  /** sqrt(F_VARIANCE_RANK_BYTES) of each record. */
  public final TimeSum deviation = new TimeSum();

  /** The largest term of {@link #deviation}. */
  public double largest;

  /** Bytes of one direction in records that moved both: how they are spread is unknown. */
  public final Count unknownBytes = new Count();

  public void add(double variance) {
    double term = Math.sqrt(variance);
    deviation.add(term);
    largest = Math.max(largest, Double.isNaN(term) ? 0 : term);
  }

  public void merge(Spread other) {
    deviation.merge(other.deviation);
    largest = Math.max(largest, other.largest);
    unknownBytes.merge(other.unknownBytes);
  }

  public boolean isAvailable() {
    return deviation.isAvailable() && unknownBytes.isAvailable();
  }

  public void write(StateBytes.Out out) {
    deviation.write(out);
    out.writeDouble(largest);
    unknownBytes.write(out);
  }

  /** Adds what was written. */
  public void read(StateBytes.In in) {
    deviation.read(in);
    largest = Math.max(largest, in.readDouble());
    unknownBytes.read(in);
  }
}
