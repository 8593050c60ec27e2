package org.weir.analysis.accumulate;

import static org.weir.analysis.accumulate.RecordColumns.get;

import java.util.Arrays;
import java.util.TreeMap;
import org.weir.analysis.log.Module;
import org.weir.analysis.state.Count;
import org.weir.analysis.state.StateBytes;
import org.weir.analysis.state.TimeSum;

/** Adds up what POSIX and MPI-IO recorded of one file. */
public final class LayeredFile {
  /** The site lists its file system. */
  public boolean listed;

  /** HDF5 or PnetCDF opened it. */
  public boolean belowLibrary;

  public final Layer posix = new Layer();
  public final Layer mpiio = new Layer();

  /** One layer's records of the file. */
  public static final class Layer {
    /** META + READ + WRITE seconds of each rank with a record of its own. */
    private final TreeMap<Long, TimeSum> ranks = new TreeMap<>();

    /** F_SLOWEST_RANK_TIME of its shared records, seconds. */
    public final TimeSum shared = new TimeSum();

    public final Count bytesRead = new Count();
    final Count bytesWritten = new Count();
    public final Count reads = new Count();
    public final Count writes = new Count();

    /** Reads and writes surely below 1 MiB. */
    public final Count smallReads = new Count();

    public final Count smallWrites = new Count();

    /** Collective reads and writes of MPI-IO, split ones with them. */
    final Count collectives = new Count();

    /** It read or wrote; zero-byte requests count. */
    public boolean hasDataOperations() {
      return reads.value() > 0 || writes.value() > 0;
    }

    /** At least half of the data operations of MPI-IO are collective. */
    public boolean isMostlyCollective() {
      double operations = (double) reads.value() + writes.value();
      return collectives.value() > 0 && 2.0 * collectives.value() >= operations;
    }

    /** No record has a time that is unknown. */
    boolean isTimed() {
      return shared.isAvailable() && ranks.values().stream().allMatch(TimeSum::isAvailable);
    }

    /** Seconds by rank, of its unshared records. */
    public TreeMap<Long, TimeSum> ranks() {
      return ranks;
    }

    public double bytes() {
      return (double) bytesRead.value() + bytesWritten.value();
    }

    /** Seconds of the rank that took longest, at most. */
    public double slowestSeconds() {
      return shared.value() + ranks.values().stream().mapToDouble(TimeSum::value).max().orElse(0);
    }

    private Count[] counts() {
      return new Count[] {
        bytesRead, bytesWritten, reads, writes, smallReads, smallWrites, collectives
      };
    }

    private TimeSum of(long rank) {
      return ranks.computeIfAbsent(rank, r -> new TimeSum());
    }

    private void add(RecordColumns c, long rank, int row) {
      if (rank < 0) {
        shared.add(get(c.slowestRankTime, row));
      } else {
        TimeSum time = of(rank);
        time.add(get(c.metaTime, row));
        time.add(get(c.readTime, row));
        time.add(get(c.writeTime, row));
      }
      bytesRead.add(get(c.bytesRead, row));
      bytesWritten.add(get(c.bytesWritten, row));
      reads.add(c.readOperations(row));
      writes.add(c.writeOperations(row));
      smallReads.add(c.readsBelow1Mib(row));
      smallWrites.add(c.writesBelow1Mib(row));
      collectives.add(c.collectiveOperations(row));
    }

    private boolean isEmpty() {
      return ranks.isEmpty()
          && shared.isAvailable()
          && shared.value() == 0
          && Arrays.stream(counts()).allMatch(count -> count.isAvailable() && count.value() == 0);
    }

    private void write(StateBytes.Out out) {
      shared.write(out);
      for (Count count : counts()) {
        count.write(out);
      }
      out.writePacked(ranks.size());
      ranks.forEach(
          (rank, time) -> {
            out.writePacked(rank);
            time.write(out);
          });
    }

    private void read(StateBytes.In in) {
      shared.read(in);
      for (Count count : counts()) {
        count.read(in);
      }
      long size = in.readPacked();
      for (long i = 0; i < size; i++) {
        of(in.readPacked()).read(in);
      }
    }
  }

  /** Adds a record; returns by how many times of ranks the file has grown. */
  int add(Module module, RecordColumns columns, long rank, int row, boolean onListed) {
    int before = times();
    listed |= onListed;
    (module == Module.MPIIO ? mpiio : posix).add(columns, rank, row);
    return times() - before;
  }

  /** Times of ranks that are kept, and one for the file itself. */
  int times() {
    return posix.ranks.size() + mpiio.ranks.size() + 1;
  }

  /** The application's layer is MPI-IO: it moved data there, and its times are usable. */
  public boolean isAtMpiio() {
    return mpiio.hasDataOperations() && mpiio.isTimed();
  }

  /**
   * POSIX recorded what MPI-IO did of the file, and for how long: it wrote no less, and read where
   * MPI-IO did. One read of POSIX can serve many of MPI-IO.
   */
  public boolean isWholeBelow() {
    return posix.isTimed()
        && posix.bytesWritten.value() >= mpiio.bytesWritten.value()
        && (mpiio.bytesRead.value() == 0 || posix.bytesRead.value() > 0);
  }

  /** The layer at which the application waited for the file. */
  Layer layer() {
    return isAtMpiio() ? mpiio : posix;
  }

  void write(StateBytes.Out out) {
    boolean hasPosix = !posix.isEmpty();
    boolean hasMpiio = !mpiio.isEmpty();
    out.writeByte(
        (listed ? 1 : 0) + (belowLibrary ? 2 : 0) + (hasPosix ? 4 : 0) + (hasMpiio ? 8 : 0));
    if (hasPosix) {
      posix.write(out);
    }
    if (hasMpiio) {
      mpiio.write(out);
    }
  }

  /** Adds what was written; returns by how many times of ranks the file has grown. */
  int read(StateBytes.In in) {
    int before = times();
    int flags = in.readByte();
    listed |= (flags & 1) != 0;
    belowLibrary |= (flags & 2) != 0;
    if ((flags & 4) != 0) {
      posix.read(in);
    }
    if ((flags & 8) != 0) {
      mpiio.read(in);
    }
    return times() - before;
  }
}
