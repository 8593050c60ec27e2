package org.weir.analysis.accumulate;

import static java.util.Objects.requireNonNull;
import static org.weir.analysis.accumulate.RecordColumns.get;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.weir.analysis.log.Direction;
import org.weir.analysis.log.Module;
import org.weir.analysis.state.Count;
import org.weir.analysis.state.Spread;
import org.weir.analysis.state.StateBytes;
import org.weir.analysis.state.TimeSum;

/** Sums over the records of one module of {@link Module#DATA} on one mount class. */
public final class ModuleTotals {
  static final long NO_ALIGNMENT = Long.MAX_VALUE;

  private final Module module;
  final CounterSums sums;

  /** Requests that surely jumped back. */
  public final Count randomReads = new Count();

  public final Count randomWrites = new Count();

  /** Unaligned requests that are surely no read of 0 bytes at a file's end. */
  public final Count surelyUnaligned = new Count();

  public final SmallRequests small = new SmallRequests();

  /** Sums over all ranks, META / READ / WRITE. */
  public final TimeSum metaTime = new TimeSum();

  public final TimeSum readTime = new TimeSum();
  public final TimeSum writeTime = new TimeSum();

  /** F_META_TIME of shared records: summed over ranks, for a share per process. */
  public final TimeSum sharedMetaTime = new TimeSum();

  /** F_SLOWEST_RANK_TIME of shared records. */
  public final TimeSum sharedSlowestTime = new TimeSum();

  private final List<Count> counts = List.of(randomReads, randomWrites, surelyUnaligned);
  private final List<TimeSum> times =
      List.of(metaTime, readTime, writeTime, sharedMetaTime, sharedSlowestTime);

  /** Largest POSIX_FILE_ALIGNMENT; 0 where there is none. */
  public long fileAlignment;

  /** Smallest POSIX_FILE_ALIGNMENT; {@link #NO_ALIGNMENT} where there is none, 0 if unknown. */
  public long smallestFileAlignment = NO_ALIGNMENT;

  private final Map<Direction, Spread> spreads = new EnumMap<>(Direction.class);
  public final RankTable ranks = new RankTable();

  public ModuleTotals(Module module) {
    this.module = module;
    this.sums = new CounterSums(module);
    for (Direction direction : Direction.values()) {
      spreads.put(direction, new Spread());
    }
  }

  public Count sum(String counter) {
    return sums.of(counter);
  }

  public Spread spread(Direction direction) {
    return requireNonNull(spreads.get(direction), direction.name());
  }

  /** Bytes as far as they are known. */
  public double bytes(Direction direction) {
    return direction.of((double) sum("BYTES_READ").value(), (double) sum("BYTES_WRITTEN").value());
  }

  /** No record has a time that is unknown. */
  public boolean isTimed() {
    return sharedSlowestTime.isAvailable()
        && ranks.isComplete()
        && ranks.entries().values().stream().allMatch(rank -> rank.time.isAvailable());
  }

  /**
   * Seconds as darshan-parser --perf and libdarshan's accumulator compute them, of the records
   * whose times are known; null where a time is unknown and nothing else was measured.
   */
  public @Nullable Double aggTimeBySlowest() {
    double unique = 0;
    for (RankTable.Entry rank : ranks.entries().values()) {
      unique = Math.max(unique, rank.time.value());
    }
    double seconds = unique + sharedSlowestTime.value();
    return seconds == 0 && !isTimed() ? null : Double.valueOf(seconds);
  }

  void add(RecordColumns c, long rank, int row) {
    sums.add(c.sums, row);
    metaTime.add(get(c.metaTime, row));
    readTime.add(get(c.readTime, row));
    writeTime.add(get(c.writeTime, row));
    if (rank >= 0) {
      addUnshared(c, rank, row);
    } else {
      addShared(c, row);
    }
    if (module != Module.STDIO) {
      small.merge(c.smallRequests(row, rank < 0));
    }
    if (module == Module.POSIX) {
      randomReads.add(c.backwardJumps(c.reads, c.sequentialReads, row));
      randomWrites.add(c.backwardJumps(c.writes, c.sequentialWrites, row));
      surelyUnaligned.add(c.surelyUnaligned(row));
      addAlignment(get(c.fileAlignment, row));
    }
  }

  private static long readSmallest(StateBytes.In in) {
    long written = in.readPacked();
    return written == 0 ? NO_ALIGNMENT : written - 1;
  }

  private void addAlignment(long alignment) {
    if (alignment > 0) {
      fileAlignment = Math.max(fileAlignment, alignment);
      smallestFileAlignment = Math.min(smallestFileAlignment, alignment);
    }
  }

  private void addUnshared(RecordColumns c, long rank, int row) {
    RankTable.Entry entry = ranks.of(rank);
    entry.time.add(get(c.metaTime, row));
    entry.time.add(get(c.readTime, row));
    entry.time.add(get(c.writeTime, row));
    entry.metadataTime.add(get(c.metaTime, row));
    entry.bytesRead.add(get(c.bytesRead, row));
    entry.bytesWritten.add(get(c.bytesWritten, row));
  }

  private void addShared(RecordColumns c, int row) {
    sharedMetaTime.add(get(c.metaTime, row));
    sharedSlowestTime.add(get(c.slowestRankTime, row));
    long slowest = get(c.slowestRank, row);
    if (slowest >= 0) {
      ranks.of(slowest).slowestTime.add(get(c.slowestRankTime, row));
    }
    long read = get(c.bytesRead, row);
    long written = get(c.bytesWritten, row);
    long only = c.onlyRank(row);
    if (only >= 0) {
      ranks.of(only).bytesRead.add(read);
      ranks.of(only).bytesWritten.add(written);
    } else if (read + written != 0) {
      if (slowest >= 0) {
        ranks.of(slowest).slowestBytes.add(Math.max(0, get(c.slowestRankBytes, row)));
      }
      double variance = get(c.varianceBytes, row);
      spread(Direction.BOTH).add(variance);
      addSpread(Direction.READ, read, written, variance);
      addSpread(Direction.WRITE, written, read, variance);
    }
  }

  private void addSpread(Direction direction, long bytes, long otherBytes, double variance) {
    if (otherBytes == 0) {
      spread(direction).add(variance);
    } else {
      spread(direction).unknownBytes.add(bytes);
    }
  }

  public void merge(ModuleTotals other) {
    sums.merge(other.sums);
    for (int i = 0; i < counts.size(); i++) {
      counts.get(i).merge(other.counts.get(i));
    }
    for (int i = 0; i < times.size(); i++) {
      times.get(i).merge(other.times.get(i));
    }
    small.merge(other.small);
    spreads.forEach((direction, spread) -> spread.merge(other.spread(direction)));
    ranks.merge(other.ranks);
    fileAlignment = Math.max(fileAlignment, other.fileAlignment);
    smallestFileAlignment = Math.min(smallestFileAlignment, other.smallestFileAlignment);
  }

  void write(StateBytes.Out out) {
    sums.write(out);
    for (Count count : counts) {
      count.write(out);
    }
    for (TimeSum time : times) {
      time.write(out);
    }
    small.write(out);
    for (Spread spread : spreads.values()) {
      spread.write(out);
    }
    ranks.write(out);
    out.writePacked(fileAlignment);
    out.writePacked(smallestFileAlignment == NO_ALIGNMENT ? 0 : smallestFileAlignment + 1);
  }

  /** Adds what was written. */
  void read(StateBytes.In in) {
    sums.read(in);
    counts.forEach(count -> count.read(in));
    times.forEach(time -> time.read(in));
    small.read(in);
    spreads.values().forEach(spread -> spread.read(in));
    ranks.read(in);
    long largest = in.readPacked();
    fileAlignment = Math.max(fileAlignment, largest);
    smallestFileAlignment = Math.min(smallestFileAlignment, readSmallest(in));
  }
}
