package org.weir.analysis.accumulate;

import static org.weir.analysis.accumulate.RecordColumns.get;

import org.weir.analysis.log.Module;
import org.weir.analysis.state.Count;
import org.weir.analysis.state.StateBytes;
import org.weir.analysis.state.TimeSum;

/** What one module recorded of one file, over all its records. */
public final class FileUse {
  private static final double MIB = 1 << 20;

  public final Count bytesRead = new Count();
  public final Count bytesWritten = new Count();

  /** Reads and writes of any kind. */
  public final Count requests = new Count();

  public final Count switches = new Count();

  /** READ + WRITE seconds, summed over ranks. */
  public final TimeSum dataTime = new TimeSum();

  /** Squares of the MiB of each rank that is known by itself. */
  final TimeSum squares = new TimeSum();

  /** F_VARIANCE_RANK_BYTES of shared records in MiB^2. */
  final TimeSum variance = new TimeSum();

  public final SmallRequests small = new SmallRequests();

  /** MPI-IO only. */
  public long independent;

  /** MPI-IO only. */
  public long collective;

  /** Last offset + 1. */
  public long extent;

  /** Records of single ranks; 0 where the file is in a shared record only. */
  public long rankRecords;

  /** There is a record of rank -1: all ranks opened it. */
  public boolean shared;

  /** Some bytes are of a shared record that no single rank did. */
  boolean spread;

  /** Ranks known to have moved bytes, lowest and highest; lowest above highest where none is. */
  long lowestRank = Long.MAX_VALUE;

  long highestRank = -1;

  void add(Module module, RecordColumns c, long rank, int row) {
    long read = get(c.bytesRead, row);
    long written = get(c.bytesWritten, row);
    bytesRead.add(read);
    bytesWritten.add(written);
    requests.add(c.requests(row));
    dataTime.add(get(c.readTime, row));
    dataTime.add(get(c.writeTime, row));
    if (module == Module.POSIX) {
      switches.add(get(c.switches, row));
    }
    if (module != Module.STDIO) {
      small.merge(c.smallRequests(row, rank < 0));
    }
    if (module == Module.MPIIO) {
      independent = saturated(independent, c.independentOperations(row));
      collective = saturated(collective, c.collectiveOperations(row));
    }
    extent = Math.max(extent, c.extent(row));
    if (rank < 0) {
      shared = true;
    } else {
      rankRecords++;
    }
    addRank(c, rank, read + written, row);
  }

  private void addRank(RecordColumns c, long rank, long bytes, int row) {
    long by = rank >= 0 ? rank : c.onlyRank(row);
    if (bytes > 0 && by >= 0) {
      squares.add(bytes / MIB * (bytes / MIB));
      lowestRank = Math.min(lowestRank, by);
      highestRank = Math.max(highestRank, by);
    } else if (bytes > 0) {
      spread = true;
      variance.add(get(c.varianceBytes, row) / (MIB * MIB));
    }
  }

  private static long saturated(long a, long b) {
    return a + b < 0 ? Long.MAX_VALUE : a + b;
  }

  /** MPI-IO reads or writes of any kind. */
  public boolean hasDataOperations() {
    return independent > 0 || collective > 0;
  }

  public double bytes() {
    return (double) bytesRead.value() + bytesWritten.value();
  }

  /** Its bytes are all of this rank; -1 where they are not, or there are none. */
  public long onlyRank() {
    return !spread && lowestRank == highestRank ? lowestRank : -1;
  }

  /** Euclidean length in bytes of the ranks' deviations from their mean; NaN where not known. */
  public double deviation(long nprocs) {
    boolean known = lowestRank <= highestRank;
    if (!squares.isAvailable() || !variance.isAvailable() || (known && spread)) {
      return Double.NaN;
    }
    double mib = bytes() / MIB;
    double squared = known ? squares.value() - mib * mib / nprocs : nprocs * variance.value();
    return MIB * Math.sqrt(Math.max(0, squared));
  }

  void write(StateBytes.Out out) {
    bytesRead.write(out);
    bytesWritten.write(out);
    requests.write(out);
    switches.write(out);
    dataTime.write(out);
    squares.write(out);
    variance.write(out);
    small.write(out);
    out.writePacked(independent);
    out.writePacked(collective);
    out.writePacked(extent);
    out.writePacked(rankRecords);
    out.writeByte((shared ? 1 : 0) + (spread ? 2 : 0));
    out.writePacked(lowestRank);
    out.writePacked(highestRank + 1);
  }

  /** Adds what was written. */
  void read(StateBytes.In in) {
    bytesRead.read(in);
    bytesWritten.read(in);
    requests.read(in);
    switches.read(in);
    dataTime.read(in);
    squares.read(in);
    variance.read(in);
    small.read(in);
    independent = saturated(independent, in.readPacked());
    collective = saturated(collective, in.readPacked());
    extent = Math.max(extent, in.readPacked());
    rankRecords += in.readPacked();
    int flags = in.readByte();
    shared |= (flags & 1) != 0;
    spread |= (flags & 2) != 0;
    lowestRank = Math.min(lowestRank, in.readPacked());
    highestRank = Math.max(highestRank, in.readPacked() - 1);
  }
}
