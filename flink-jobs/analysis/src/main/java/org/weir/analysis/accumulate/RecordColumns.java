package org.weir.analysis.accumulate;

import org.jspecify.annotations.Nullable;
import org.weir.analysis.log.Module;
import org.weir.analysis.state.Count;
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
  private static final int SMALL_BINS = Module.Counters.SIZES.indexOf("1M_4M");
  private static final int COMMON_SIZES = 4;

  /** From this share of consecutive requests on, the page cache gathers those of one process. */
  private static final double GATHERED_SHARE = 0.9;

  /** Where the collective kinds begin among the data operations. */
  private static final int COLLECTIVE = 4;

  final @Nullable LongColumn bytesRead;
  final @Nullable LongColumn bytesWritten;
  final @Nullable LongColumn reads;
  final @Nullable LongColumn writes;
  final @Nullable LongColumn opens;
  final @Nullable LongColumn sequentialReads;
  final @Nullable LongColumn sequentialWrites;
  private final @Nullable LongColumn consecutiveReads;
  private final @Nullable LongColumn consecutiveWrites;
  final @Nullable LongColumn unaligned;
  final @Nullable LongColumn fileAlignment;
  final @Nullable LongColumn switches;
  final @Nullable LongColumn maxByteRead;
  final @Nullable LongColumn maxByteWritten;
  final @Nullable LongColumn slowestRank;
  final @Nullable LongColumn slowestRankBytes;
  final @Nullable DoubleColumn metaTime;
  final @Nullable DoubleColumn readTime;
  final @Nullable DoubleColumn writeTime;
  final @Nullable DoubleColumn slowestRankTime;
  final @Nullable DoubleColumn varianceBytes;
  final @Nullable DoubleColumn openStart;
  final @Nullable DoubleColumn readStart;
  final @Nullable DoubleColumn readEnd;
  final @Nullable DoubleColumn writeStart;
  final @Nullable DoubleColumn writeEnd;
  final @Nullable DoubleColumn closeEnd;
  final @Nullable LongColumn[] sums;
  private final @Nullable LongColumn[] dataOperations;
  private final @Nullable LongColumn[] smallReads;
  private final @Nullable LongColumn[] smallWrites;
  private final @Nullable LongColumn[] commonSizes;
  private final @Nullable LongColumn[] commonCounts;

  RecordColumns(Module module, PackedColumns columns) {
    String p = module.counterPrefix();
    bytesRead = columns.longs(p + "_BYTES_READ");
    bytesWritten = columns.longs(p + "_BYTES_WRITTEN");
    reads = columns.longs(p + "_READS");
    writes = columns.longs(p + "_WRITES");
    opens = columns.longs(p + "_OPENS");
    sequentialReads = columns.longs(p + "_SEQ_READS");
    sequentialWrites = columns.longs(p + "_SEQ_WRITES");
    consecutiveReads = columns.longs(p + "_CONSEC_READS");
    consecutiveWrites = columns.longs(p + "_CONSEC_WRITES");
    unaligned = columns.longs(p + "_FILE_NOT_ALIGNED");
    fileAlignment = columns.longs(p + "_FILE_ALIGNMENT");
    switches = columns.longs(p + "_RW_SWITCHES");
    maxByteRead = columns.longs(p + "_MAX_BYTE_READ");
    maxByteWritten = columns.longs(p + "_MAX_BYTE_WRITTEN");
    sums = CounterSums.columns(module, columns);
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

  static long get(@Nullable LongColumn column, int row) {
    return column == null ? -1 : column.get(row);
  }

  static double get(@Nullable DoubleColumn column, int row) {
    return column == null ? Double.NaN : column.get(row);
  }

  /** MPI-IO reads and writes by one process alone, nonblocking ones with them. */
  long independentOperations(int row) {
    return operations(row, 0, COLLECTIVE);
  }

  /** Collective MPI-IO reads and writes, split ones with them. */
  long collectiveOperations(int row) {
    return operations(row, COLLECTIVE, dataOperations.length);
  }

  /** Reads of any kind. */
  long readOperations(int row) {
    return operationsOf(0, reads, row);
  }

  /** Writes of any kind. */
  long writeOperations(int row) {
    return operationsOf(1, writes, row);
  }

  private long operationsOf(int direction, @Nullable LongColumn plain, int row) {
    if (dataOperations.length == 0) {
      return get(plain, row);
    }
    long sum = 0;
    for (int i = direction; i < dataOperations.length; i += 2) {
      sum = saturated(sum, get(dataOperations[i], row));
    }
    return sum;
  }

  /** Reads surely below 1 MiB. */
  long readsBelow1Mib(int row) {
    return below1Mib(smallReads, row);
  }

  /** Writes surely below 1 MiB. */
  long writesBelow1Mib(int row) {
    return below1Mib(smallWrites, row);
  }

  /** The last bin has those of exactly 1 MiB, which may be all of this direction. */
  private long below1Mib(@Nullable LongColumn[] bins, int row) {
    long sum = Math.max(0, get(bins[SMALL_BINS - 1], row) - exactMib(row));
    for (int i = 0; i < SMALL_BINS - 1; i++) {
      sum = saturated(sum, get(bins[i], row));
    }
    return sum;
  }

  private long operations(int row, int from, int to) {
    long sum = 0;
    for (int i = from; i < Math.min(to, dataOperations.length); i++) {
      sum = saturated(sum, get(dataOperations[i], row));
    }
    return sum;
  }

  /**
   * Requests below 1 MiB of a record. Darshan's bins include their top edge, so that an exact 1 MiB
   * request stands in 100K_1M; how many there are tell the four common sizes, which do not tell
   * reads from writes.
   *
   * <p>The lower bounds leave out what costs nothing: requests of 100K_1M that one process makes
   * one behind the other. Its page cache gathers them into requests of 1 MiB and more before they
   * reach the storage, and the calls themselves took 1.05 times (256 KiB) and 1.0 times (512 KiB)
   * as long as those of 1 MiB when 256 MiB were written to ext4; 4 KiB took 4.0 times as long.
   */
  SmallRequests smallRequests(int row, boolean shared) {
    long readBin = get(smallReads[SMALL_BINS - 1], row);
    long writeBin = get(smallWrites[SMALL_BINS - 1], row);
    long atLeast = Math.min(exactMib(row), saturated(readBin, writeBin));
    // A rank counts each size by itself; only the merge over ranks can split or lose one.
    long unlisted = atLeast > 0 && !shared ? 0 : uncounted(row);
    long atMost = Math.min(saturated(atLeast, unlisted), saturated(readBin, writeBin));
    SmallRequests small = new SmallRequests();
    long readsAtMost = isGathered(reads, consecutiveReads, row, shared) ? readBin : atMost;
    long writesAtMost = isGathered(writes, consecutiveWrites, row, shared) ? writeBin : atMost;
    addBounds(
        small.readsLower,
        small.readsUpper,
        smallReads,
        row,
        readBin,
        writeBin,
        atLeast,
        readsAtMost);
    addBounds(
        small.writesLower,
        small.writesUpper,
        smallWrites,
        row,
        writeBin,
        readBin,
        atLeast,
        writesAtMost);
    addUnaligned(small, row);
    return small;
  }

  private static boolean isGathered(
      @Nullable LongColumn requests, @Nullable LongColumn consecutive, int row, boolean shared) {
    long all = get(requests, row);
    return !shared && all > 0 && get(consecutive, row) >= GATHERED_SHARE * all;
  }

  /**
   * Writes that are both small and unaligned. FILE_NOT_ALIGNED counts reads and writes together, so
   * that as many of them as there are reads may be no writes.
   */
  private void addUnaligned(SmallRequests small, int row) {
    long unalignedRequests = unaligned == null ? 0 : get(unaligned, row);
    long allWrites = get(writes, row);
    long allReads = get(reads, row);
    boolean known = unalignedRequests >= 0 && allWrites >= 0 && allReads >= 0;
    boolean bounded = small.writesLower.isAvailable() && small.writesUpper.isAvailable();
    if (unaligned != null && (!known || !bounded)) {
      small.unalignedWritesLower.add(-1);
      small.unalignedWritesUpper.add(-1);
    } else if (unaligned != null) {
      long surely = Math.max(0, unalignedRequests - allReads);
      small.unalignedWritesLower.add(
          Math.max(0, Math.min(surely, allWrites) + small.writesLower.value() - allWrites));
      small.unalignedWritesUpper.add(Math.min(small.writesUpper.value(), unalignedRequests));
    }
  }

  private static void addBounds(
      Count lower,
      Count upper,
      @Nullable LongColumn[] bins,
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
    for (@Nullable LongColumn column : commonCounts) {
      long count = get(column, row);
      full &= count > 0;
      counted = saturated(counted, count);
    }
    // Fewer than four sizes: there were no others.
    return full ? Math.max(0, requests(row) - counted) : 0;
  }

  /** Reads and writes of any kind. */
  long requests(int row) {
    return dataOperations.length == 0
        ? saturated(get(reads, row), get(writes, row))
        : operations(row, 0, dataOperations.length);
  }

  /** Last offset read or written + 1; 0 where nothing was. */
  long extent(int row) {
    long last = -1;
    // A counter is 0 both for the first byte and for none.
    last = get(bytesRead, row) > 0 ? Math.max(last, get(maxByteRead, row)) : last;
    last = get(bytesWritten, row) > 0 ? Math.max(last, get(maxByteWritten, row)) : last;
    return last == Long.MAX_VALUE ? last : last + 1;
  }

  /** The rank that did all bytes of a shared record; -1 where none is known to. */
  long onlyRank(int row) {
    long bytes = get(bytesRead, row) + get(bytesWritten, row);
    return bytes > 0 && get(slowestRankBytes, row) == bytes ? get(slowestRank, row) : -1;
  }

  /** Unaligned requests less the reads of 0 bytes at a file's end that there can be. */
  long surelyUnaligned(int row) {
    long all = get(unaligned, row);
    long empty = get(smallReads[0], row);
    return all < 0 || empty < 0 ? -1 : Math.max(0, all - empty);
  }

  /** Requests that surely jumped back: SEQ is not counted for the first one after an open. */
  long backwardJumps(@Nullable LongColumn requests, @Nullable LongColumn sequential, int row) {
    long all = get(requests, row);
    long forward = get(sequential, row);
    long opened = get(opens, row);
    return all < 0 || forward < 0 || opened < 0 ? -1 : Math.max(0, all - forward - opened);
  }

  private static long saturated(long a, long b) {
    long sum = Math.max(0, a) + Math.max(0, b);
    return sum < 0 ? Long.MAX_VALUE : sum;
  }

  private static @Nullable LongColumn[] bins(PackedColumns columns, String prefix) {
    @Nullable LongColumn[] bins = new LongColumn[SMALL_BINS];
    for (int i = 0; i < bins.length; i++) {
      bins[i] = columns.longs(prefix + Module.Counters.SIZES.get(i));
    }
    return bins;
  }

  private static @Nullable LongColumn[] numbered(
      PackedColumns columns, String prefix, String suffix) {
    @Nullable LongColumn[] numbered = new LongColumn[COMMON_SIZES];
    for (int i = 0; i < COMMON_SIZES; i++) {
      numbered[i] = columns.longs(prefix + "_ACCESS" + (i + 1) + suffix);
    }
    return numbered;
  }

  private static @Nullable LongColumn[] dataOperations(PackedColumns columns) {
    if (columns.longs("MPIIO_INDEP_READS") == null) {
      return new LongColumn[0];
    }
    String[] kinds = {"INDEP", "NB", "COLL", "SPLIT"};
    @Nullable LongColumn[] operations = new LongColumn[2 * kinds.length];
    for (int i = 0; i < kinds.length; i++) {
      operations[2 * i] = columns.longs("MPIIO_" + kinds[i] + "_READS");
      operations[2 * i + 1] = columns.longs("MPIIO_" + kinds[i] + "_WRITES");
    }
    return operations;
  }
}
