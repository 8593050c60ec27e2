package org.weir.analysis.accumulate;

import java.util.Map;
import java.util.TreeMap;
import org.weir.analysis.log.Direction;
import org.weir.analysis.state.Count;
import org.weir.analysis.state.StateBytes;
import org.weir.analysis.state.TimeSum;

/**
 * What each rank is known to have done: its unshared files, and the shared ones that it did alone.
 * Keeps the {@value #KEPT} lowest ranks, more than any run seen; a rank beyond only leaves a mark,
 * because a damaged log can claim any number of ranks.
 */
public final class RankTable {
  static final int KEPT = 131_072;

  private final TreeMap<Long, Entry> ranks = new TreeMap<>();
  private boolean truncated;

  /** Sums of one rank. */
  public static final class Entry {
    /** META + READ + WRITE of its unshared records. */
    public final TimeSum time = new TimeSum();

    /** META of its unshared records. */
    public final TimeSum metadataTime = new TimeSum();

    /** F_SLOWEST_RANK_TIME of the shared records of which it was the slowest. */
    public final TimeSum slowestTime = new TimeSum();

    /** Its part of the shared records of which it was the slowest, but not the only rank. */
    public final Count slowestBytes = new Count();

    final Count bytesRead = new Count();
    final Count bytesWritten = new Count();

    public double bytes(Direction direction) {
      return direction.of((double) bytesRead.value(), (double) bytesWritten.value());
    }

    private void merge(Entry other) {
      time.merge(other.time);
      metadataTime.merge(other.metadataTime);
      slowestTime.merge(other.slowestTime);
      slowestBytes.merge(other.slowestBytes);
      bytesRead.merge(other.bytesRead);
      bytesWritten.merge(other.bytesWritten);
    }

    private void write(StateBytes.Out out) {
      time.write(out);
      metadataTime.write(out);
      slowestTime.write(out);
      slowestBytes.write(out);
      bytesRead.write(out);
      bytesWritten.write(out);
    }

    private void read(StateBytes.In in) {
      time.read(in);
      metadataTime.read(in);
      slowestTime.read(in);
      slowestBytes.read(in);
      bytesRead.read(in);
      bytesWritten.read(in);
    }
  }

  /** The entry to add to; a throw-away one where the table is full of lower ranks. */
  Entry of(long rank) {
    Entry entry = ranks.computeIfAbsent(rank, r -> new Entry());
    if (ranks.size() > KEPT) {
      ranks.pollLastEntry();
      truncated = true;
    }
    return entry;
  }

  void merge(RankTable other) {
    other.ranks.forEach((rank, entry) -> of(rank).merge(entry));
    truncated |= other.truncated;
  }

  public Map<Long, Entry> entries() {
    return ranks;
  }

  public boolean isComplete() {
    return !truncated;
  }

  void write(StateBytes.Out out) {
    out.writeBoolean(truncated);
    out.writeInt(ranks.size());
    for (Map.Entry<Long, Entry> rank : ranks.entrySet()) {
      out.writeLong(rank.getKey());
      rank.getValue().write(out);
    }
  }

  /** Adds what was written. */
  void read(StateBytes.In in) {
    truncated |= in.readBoolean();
    int size = in.readInt();
    for (int i = 0; i < size; i++) {
      of(in.readLong()).read(in);
    }
  }
}
