package org.weir.analysis;

import static org.weir.analysis.RecordColumns.get;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;

/** Sums over the records of one module on one file system (or on all other mounts). */
final class ModuleTotals {
  final Count bytesRead = new Count();
  final Count bytesWritten = new Count();
  final Count reads = new Count();
  final Count writes = new Count();
  final Count opens = new Count();
  final Count stats = new Count();
  final Count seeks = new Count();
  final Count flushes = new Count();
  private final List<Count> counts =
      List.of(bytesRead, bytesWritten, reads, writes, opens, stats, seeks, flushes);

  /** Sums over all ranks, META / READ / WRITE. */
  final TimeSum metaTime = new TimeSum();

  final TimeSum readTime = new TimeSum();
  final TimeSum writeTime = new TimeSum();

  /** F_META_TIME of shared records: summed over ranks, for a share per process. */
  final TimeSum sharedMetaTime = new TimeSum();

  /** F_SLOWEST_RANK_TIME of shared records. */
  final TimeSum sharedSlowestTime = new TimeSum();

  /** sqrt(F_VARIANCE_RANK_BYTES) of shared records whose bytes no single rank did. */
  final TimeSum spreadDeviation = new TimeSum();

  private final List<TimeSum> times =
      List.of(metaTime, readTime, writeTime, sharedMetaTime, sharedSlowestTime, spreadDeviation);

  /** The largest term of {@link #spreadDeviation}. */
  double largestDeviation;

  RankTable ranks = new RankTable();
  SmallRequests small = new SmallRequests();
  FileTable smallByFile = new FileTable();

  void add(Module module, RecordColumns c, long recordId, long rank, int row) {
    bytesRead.add(get(c.bytesRead, row));
    bytesWritten.add(get(c.bytesWritten, row));
    addOperations(module, c, row);
    metaTime.add(get(c.metaTime, row));
    readTime.add(get(c.readTime, row));
    writeTime.add(get(c.writeTime, row));
    if (rank >= 0) {
      addUnshared(c, rank, row);
    } else {
      addShared(c, row);
    }
    addSmall(module, c, recordId, rank < 0, row);
  }

  private void addOperations(Module module, RecordColumns c, int row) {
    if (module != Module.MPIIO) {
      reads.add(get(c.reads, row));
      writes.add(get(c.writes, row));
      opens.add(get(c.opens, row));
      seeks.add(get(c.seeks, row));
    }
    if (module == Module.POSIX) {
      stats.add(get(c.stats, row));
    }
    if (module == Module.STDIO) {
      flushes.add(get(c.flushes, row));
    }
  }

  private void addUnshared(RecordColumns c, long rank, int row) {
    RankTable.Entry entry = ranks.of(rank);
    entry.time.add(get(c.metaTime, row));
    entry.time.add(get(c.readTime, row));
    entry.time.add(get(c.writeTime, row));
    entry.metadataTime.add(get(c.metaTime, row));
    entry.bytes.add(get(c.bytesRead, row));
    entry.bytes.add(get(c.bytesWritten, row));
  }

  private void addShared(RecordColumns c, int row) {
    sharedMetaTime.add(get(c.metaTime, row));
    sharedSlowestTime.add(get(c.slowestRankTime, row));
    long bytes = get(c.bytesRead, row) + get(c.bytesWritten, row);
    long slowest = get(c.slowestRank, row);
    if (bytes > 0 && slowest >= 0 && get(c.slowestRankBytes, row) == bytes) {
      ranks.of(slowest).bytes.add(bytes);
    } else if (bytes != 0) {
      double deviation = Math.sqrt(get(c.varianceBytes, row));
      spreadDeviation.add(deviation);
      largestDeviation = Math.max(largestDeviation, Double.isNaN(deviation) ? 0 : deviation);
    }
  }

  private void addSmall(Module module, RecordColumns c, long recordId, boolean shared, int row) {
    if (module == Module.STDIO || (module == Module.MPIIO && !c.hasMpiioDataOperations(row))) {
      return;
    }
    SmallRequests requests = c.smallRequests(row, shared);
    small.merge(requests);
    if (module == Module.MPIIO || !requests.isZero()) {
      smallByFile.add(recordId, requests);
    }
  }

  void merge(ModuleTotals other) {
    for (int i = 0; i < counts.size(); i++) {
      counts.get(i).merge(other.counts.get(i));
    }
    for (int i = 0; i < times.size(); i++) {
      times.get(i).merge(other.times.get(i));
    }
    largestDeviation = Math.max(largestDeviation, other.largestDeviation);
    ranks.merge(other.ranks);
    small.merge(other.small);
    smallByFile.merge(other.smallByFile);
  }

  void write(DataOutput out) throws IOException {
    for (Count count : counts) {
      count.write(out);
    }
    for (TimeSum time : times) {
      time.write(out);
    }
    out.writeDouble(largestDeviation);
    ranks.write(out);
    small.write(out);
    smallByFile.write(out);
  }

  static ModuleTotals read(DataInput in) throws IOException {
    ModuleTotals totals = new ModuleTotals();
    for (Count count : totals.counts) {
      count.merge(Count.read(in));
    }
    for (TimeSum time : totals.times) {
      time.merge(TimeSum.read(in));
    }
    totals.largestDeviation = in.readDouble();
    totals.ranks = RankTable.read(in);
    totals.small = SmallRequests.read(in);
    totals.smallByFile = FileTable.read(in);
    return totals;
  }
}
