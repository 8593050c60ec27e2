package org.weir.analysis;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/**
 * What each rank did by itself: time, metadata time and bytes of its unshared files. Keeps the
 * {@value #KEPT} lowest ranks, more than any run seen; a rank beyond only leaves a mark, because a
 * damaged log can claim any number of ranks.
 */
final class RankTable {
  static final int KEPT = 131_072;

  private final TreeMap<Long, Entry> ranks = new TreeMap<>();
  private boolean truncated;

  /** Sums of one rank. */
  static final class Entry {
    final TimeSum time;
    final TimeSum metadataTime;
    final Count bytes;

    Entry() {
      this(new TimeSum(), new TimeSum(), new Count());
    }

    private Entry(TimeSum time, TimeSum metadataTime, Count bytes) {
      this.time = time;
      this.metadataTime = metadataTime;
      this.bytes = bytes;
    }

    private void merge(Entry other) {
      time.merge(other.time);
      metadataTime.merge(other.metadataTime);
      bytes.merge(other.bytes);
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

  Map<Long, Entry> entries() {
    return ranks;
  }

  boolean isComplete() {
    return !truncated;
  }

  void write(DataOutput out) throws IOException {
    out.writeBoolean(truncated);
    out.writeInt(ranks.size());
    for (Map.Entry<Long, Entry> rank : ranks.entrySet()) {
      out.writeLong(rank.getKey());
      rank.getValue().time.write(out);
      rank.getValue().metadataTime.write(out);
      rank.getValue().bytes.write(out);
    }
  }

  static RankTable read(DataInput in) throws IOException {
    RankTable table = new RankTable();
    table.truncated = in.readBoolean();
    int size = in.readInt();
    for (int i = 0; i < size; i++) {
      long rank = in.readLong();
      table.ranks.put(rank, new Entry(TimeSum.read(in), TimeSum.read(in), Count.read(in)));
    }
    return table;
  }
}
