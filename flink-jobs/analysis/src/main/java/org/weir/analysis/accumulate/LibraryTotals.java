package org.weir.analysis.accumulate;

import static org.weir.analysis.accumulate.RecordColumns.get;

import org.jspecify.annotations.Nullable;
import org.weir.analysis.log.Module;
import org.weir.analysis.state.Count;
import org.weir.analysis.state.DistinctIds;
import org.weir.analysis.state.StateBytes;
import org.weir.wire.PackedColumns;
import org.weir.wire.PackedColumns.LongColumn;

/**
 * Sums over the records of an HDF5 or PnetCDF module: objects are its files, datasets or variables.
 */
public final class LibraryTotals {
  public final CounterSums sums;
  public final DistinctIds objects = new DistinctIds();

  /** Objects opened for MPI-IO (H5F), or accessed collectively (H5D). */
  public final DistinctIds parallel = new DistinctIds();

  /** Datasets with a chunked layout. */
  public final DistinctIds chunked = new DistinctIds();

  /** Requests for datasets that all ranks opened and none accessed collectively. */
  public final Count sharedIndependentReads = new Count();

  public final Count sharedIndependentWrites = new Count();

  public LibraryTotals(Module module) {
    sums = new CounterSums(module);
  }

  /** The columns of a batch. */
  static final class Columns {
    private final @Nullable LongColumn[] sums;
    private final @Nullable LongColumn parallel;
    private final @Nullable LongColumn chunk;
    private final @Nullable LongColumn reads;
    private final @Nullable LongColumn writes;

    Columns(Module module, PackedColumns batch) {
      sums = CounterSums.columns(module, batch);
      parallel = batch.longs(module == Module.H5F ? "H5F_USE_MPIIO" : "H5D_USE_MPIIO_COLLECTIVE");
      chunk = batch.longs("H5D_CHUNK_SIZE_D1");
      reads = batch.longs("H5D_READS");
      writes = batch.longs("H5D_WRITES");
    }
  }

  void add(Module module, Columns c, long id, long rank, int row) {
    sums.add(c.sums, row);
    objects.add(id);
    boolean isParallel = get(c.parallel, row) > 0;
    if (isParallel) {
      parallel.add(id);
    }
    if (get(c.chunk, row) > 0) {
      chunked.add(id);
    }
    if (module == Module.H5D && rank < 0 && !isParallel) {
      sharedIndependentReads.add(get(c.reads, row));
      sharedIndependentWrites.add(get(c.writes, row));
    }
  }

  public void merge(LibraryTotals other) {
    sums.merge(other.sums);
    objects.merge(other.objects);
    parallel.merge(other.parallel);
    chunked.merge(other.chunked);
    sharedIndependentReads.merge(other.sharedIndependentReads);
    sharedIndependentWrites.merge(other.sharedIndependentWrites);
  }

  void write(StateBytes.Out out) {
    sums.write(out);
    objects.write(out);
    parallel.write(out);
    chunked.write(out);
    sharedIndependentReads.write(out);
    sharedIndependentWrites.write(out);
  }

  /** Adds what was written. */
  void read(StateBytes.In in) {
    sums.read(in);
    objects.read(in);
    parallel.read(in);
    chunked.read(in);
    sharedIndependentReads.read(in);
    sharedIndependentWrites.read(in);
  }
}
