package org.weir.analysis;

import org.weir.wire.PackedColumns;
import org.weir.wire.PackedColumns.DoubleColumn;
import org.weir.wire.PackedColumns.LongColumn;

/**
 * The counters of POSIX, MPI-IO or STDIO records that the accumulators read, looked up once for a
 * batch. A counter that the batch does not have reads as -1, Darshan's own "not collected"; a time
 * as NaN.
 */
final class RecordColumns {
  static final long MIB = 1L << 20;
  private static final String[] SMALL_BINS = {"0_100", "100_1K", "1K_10K", "10K_100K", "100K_1M"};
  private static final int COMMON_SIZES = 4;

  final LongColumn bytesRead;
  final LongColumn bytesWritten;
  final LongColumn reads;
  final LongColumn writes;
  final LongColumn opens;
  final LongColumn stats;
  final LongColumn seeks;
  final LongColumn flushes;
  final LongColumn slowestRank;
  final LongColumn slowestRankBytes;
  final DoubleColumn metaTime;
  final DoubleColumn readTime;
  final DoubleColumn writeTime;
  final DoubleColumn slowestRankTime;
  final DoubleColumn varianceBytes;
  final DoubleColumn openStart;
  final DoubleColumn readStart;
  final DoubleColumn readEnd;
  final DoubleColumn writeStart;
  final DoubleColumn writeEnd;
  final DoubleColumn closeEnd;
  private final LongColumn[] dataOperations;
  private final LongColumn[] smallReads;
  private final LongColumn[] smallWrites;
  private final LongColumn[] commonSizes;
  private final LongColumn[] commonCounts;

  RecordColumns(Module module, PackedColumns columns) {
    String p = module.counterPrefix();
    bytesRead = columns.longs(p + "_BYTES_READ");
    bytesWritten = columns.longs(p + "_BYTES_WRITTEN");
    reads = columns.longs(p + "_READS");
    writes = columns.longs(p + "_WRITES");
    opens = columns.longs(p + "_OPENS");
    stats = columns.longs(p + "_STATS");
    seeks = columns.longs(p + "_SEEKS");
    flushes = columns.longs(p + "_FLUSHES");
    slowestRank = columns.longs(p + "_SLOWEST_RANK");
    slowestRankBytes = columns.longs(p + "_SLOWEST_RANK_BYTES");
    metaTime = columns.doubles(p + "_F_META_TIME");
    readTime = columns.doubles(p + "_F_READ_TIME");
    writeTime = columns.doubles(p + "_F_WRITE_TIME");
    slowestRankTime = columns.doubles(p + "_F_SLOWEST_RANK_TIME");
    varianceBytes = columns.doubles(p + "_F_VARIANCE_RANK_BYTES");
    openStart = columns.doubles(p + "_F_OPEN_START_TIMESTAMP");
    readStart = columns.doubles(p + "_F_READ_START_TIMESTAMP");
    readEnd = columns.doubles(p + "_F_READ_END_TIMESTAMP");
    writeStart = columns.doubles(p + "_F_WRITE_START_TIMESTAMP");
    writeEnd = columns.doubles(p + "_F_WRITE_END_TIMESTAMP");
    closeEnd = columns.doubles(p + "_F_CLOSE_END_TIMESTAMP");
    String aggregate = module == Module.MPIIO ? "AGG_" : "";
    smallReads = bins(columns, p + "_SIZE_READ_" + aggregate);
    smallWrites = bins(columns, p + "_SIZE_WRITE_" + aggregate);
    commonSizes = numbered(columns, p, "_ACCESS");
    commonCounts = numbered(columns, p, "_COUNT");
    dataOperations = dataOperations(columns);
  }

  static long get(LongColumn column, int row) {
    return column == null ? -1 : column.get(row);
  }

  static double get(DoubleColumn column, int row) {
    return column == null ? Double.NaN : column.get(row);
  }

  /** MPI-IO reads and writes of any kind. */
  boolean hasMpiioDataOperations(int row) {
    for (LongColumn column : dataOperations) {
      if (get(column, row) > 0) {
        return true;
      }
    }
    return false;
  }

  /**
   * Requests below 1 MiB of a record. Darshan's bins include their top edge, so that an exact 1 MiB
   * request stands in 100K_1M; how many there are tell the four common sizes, which do not tell
   * reads from writes.
   */
  SmallRequests smallRequests(int row, boolean shared) {
    long readBin = get(smallReads[SMALL_BINS.length - 1], row);
    long writeBin = get(smallWrites[SMALL_BINS.length - 1], row);
    long atLeast = Math.min(exactMib(row), saturated(readBin, writeBin));
    // A rank counts each size by itself; only the merge over ranks can split or lose one.
    long unlisted = atLeast > 0 && !shared ? 0 : uncounted(row);
    long atMost = Math.min(saturated(atLeast, unlisted), saturated(readBin, writeBin));
    SmallRequests small = new SmallRequests();
    addBounds(
        small.readsLower, small.readsUpper, smallReads, row, readBin, writeBin, atLeast, atMost);
    addBounds(
        small.writesLower, small.writesUpper, smallWrites, row, writeBin, readBin, atLeast, atMost);
    return small;
  }

  private static void addBounds(
      Count lower,
      Count upper,
      LongColumn[] bins,
      int row,
      long own,
      long other,
      long atLeast,
      long atMost) {
    for (int i = 0; i < bins.length - 1; i++) {
      lower.add(get(bins[i], row));
      upper.add(get(bins[i], row));
    }
    // What is not exactly 1 MiB in the own direction, given what the other direction can take.
    lower.add(own < 0 ? own : own - Math.min(own, atMost));
    upper.add(own < 0 ? own : own - Math.max(0, Math.min(own, atLeast - Math.max(0, other))));
  }

  private long exactMib(int row) {
    for (int i = 0; i < COMMON_SIZES; i++) {
      if (get(commonSizes[i], row) == MIB) {
        return Math.max(0, get(commonCounts[i], row));
      }
    }
    return 0;
  }

  /** Requests of sizes that are not among the common ones. */
  private long uncounted(int row) {
    long counted = 0;
    boolean full = true;
    for (LongColumn column : commonCounts) {
      long count = get(column, row);
      full &= count > 0;
      counted = saturated(counted, count);
    }
    // Fewer than four sizes: there were no others.
    return full ? Math.max(0, requests(row) - counted) : 0;
  }

  private long requests(int row) {
    if (dataOperations.length == 0) {
      return saturated(get(reads, row), get(writes, row));
    }
    long sum = 0;
    for (LongColumn column : dataOperations) {
      sum = saturated(sum, get(column, row));
    }
    return sum;
  }

  private static long saturated(long a, long b) {
    long sum = Math.max(0, a) + Math.max(0, b);
    return sum < 0 ? Long.MAX_VALUE : sum;
  }

  private static LongColumn[] bins(PackedColumns columns, String prefix) {
    LongColumn[] bins = new LongColumn[SMALL_BINS.length];
    for (int i = 0; i < bins.length; i++) {
      bins[i] = columns.longs(prefix + SMALL_BINS[i]);
    }
    return bins;
  }

  private static LongColumn[] numbered(PackedColumns columns, String prefix, String suffix) {
    LongColumn[] numbered = new LongColumn[COMMON_SIZES];
    for (int i = 0; i < COMMON_SIZES; i++) {
      numbered[i] = columns.longs(prefix + "_ACCESS" + (i + 1) + suffix);
    }
    return numbered;
  }

  private static LongColumn[] dataOperations(PackedColumns columns) {
    if (columns.longs("MPIIO_INDEP_READS") == null) {
      return new LongColumn[0];
    }
    String[] kinds = {"INDEP", "COLL", "SPLIT", "NB"};
    LongColumn[] operations = new LongColumn[2 * kinds.length];
    for (int i = 0; i < kinds.length; i++) {
      operations[2 * i] = columns.longs("MPIIO_" + kinds[i] + "_READS");
      operations[2 * i + 1] = columns.longs("MPIIO_" + kinds[i] + "_WRITES");
    }
    return operations;
  }
}
