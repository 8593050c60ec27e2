package org.weir.analysis;

import static org.weir.analysis.EvidenceClass.BOUNDED;
import static org.weir.analysis.EvidenceClass.EXACT;
import static org.weir.analysis.EvidenceClass.LOWER_BOUND;
import static org.weir.analysis.EvidenceClass.UPPER_BOUND;
import static org.weir.analysis.Module.DAOS;
import static org.weir.analysis.Module.DFS;
import static org.weir.analysis.Module.MPIIO;
import static org.weir.analysis.Module.POSIX;
import static org.weir.analysis.Module.STDIO;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.weir.analysis.FeatureWriter.Kind;

/**
 * Computes what the application waited for: time and bytes of each file at the layer that the
 * application called. That is MPI-IO for a file with MPI-IO data operations, else POSIX; streams
 * stand for themselves. Layers of one file are never added. Also computes what MPI-IO cost beyond
 * the POSIX calls below it.
 */
final class LayerFeatures {
  private static final double MIB = 1 << 20;

  /** A program that reads more than that itself may have had its reads split. */
  private static final double MOST_ASKED = 0.1;

  private final RunTotals run;
  private final FeatureWriter out;

  /** The modules that the numbers of the run are taken from. */
  private final Module[] layers;

  /** Seconds of each rank over the files that it has a record of its own of. */
  private final Map<Long, Double> unshared = new TreeMap<>();

  /** Sum of the slowest rank's seconds over the shared files. */
  private double shared;

  /** What the application asked MPI-IO for beyond what POSIX moved of the same files. */
  private double bytes;

  /** MPI-IO moved data that POSIX did not: what DAOS recorded lies below it. */
  private boolean objectsBelow;

  private final boolean lacksFiles;

  private LayerFeatures(RunTotals run, FeatureWriter out) {
    this.run = run;
    this.out = out;
    this.layers = new Module[] {run.traffic.files, MPIIO, STDIO, DFS, DAOS};
    this.lacksFiles = lacksFiles();
  }

  static void write(RunTotals run, FeatureWriter out) {
    LayerFeatures features = new LayerFeatures(run, out);
    features.atMpiio();
    features.applicationLayer();
    features.collectiveOverhead();
    features.readModifyWrite();
  }

  /** MPI-IO moved data in files of which it is not known what POSIX did below. */
  private boolean lacksFiles() {
    double operations = 0;
    for (LayeredFile file : run.accumulator.layers().files()) {
      operations += (double) file.mpiio.reads.value() + file.mpiio.writes.value();
    }
    return operations < RequestFeatures.mpiioOperations(run.all(MPIIO))
        || (run.accumulator.lacksLayers() && RequestFeatures.mpiioOperations(run.all(MPIIO)) > 0);
  }

  /** The part of the I/O time that is taken at MPI-IO: what is added for it and taken off POSIX. */
  private void atMpiio() {
    for (LayeredFile file : run.accumulator.layers().files()) {
      if (file.isAtMpiio()) {
        addTimes(file.mpiio, 1);
        objectsBelow |= !file.posix.hasDataOperations();
        bytes += file.mpiio.bytes();
      }
    }
    out.put("io_time_mpiio_seconds", seconds(), least(EXACT), Kind.TOTAL, run.traffic.files, MPIIO);
    for (LayeredFile file : run.accumulator.layers().files()) {
      if (file.isAtMpiio()) {
        addTimes(file.posix, -1);
        bytes -= file.posix.bytes();
      }
    }
  }

  private void addTimes(LayeredFile.Layer layer, int sign) {
    layer.ranks().forEach((rank, time) -> unshared.merge(rank, sign * time.value(), Double::sum));
    shared += sign * layer.shared.value();
  }

  private double seconds() {
    double slowest = unshared.values().stream().mapToDouble(s -> s).max().orElse(0);
    return Math.max(0, slowest) + Math.max(0, shared);
  }

  private EvidenceClass least(EvidenceClass own) {
    return lacksFiles ? own.worst(LOWER_BOUND) : own;
  }

  private void applicationLayer() {
    boolean timed = true;
    for (Module module : callable()) {
      ModuleTotals totals = run.all(module);
      totals
          .ranks
          .entries()
          .forEach((rank, entry) -> unshared.merge(rank, entry.time.value(), Double::sum));
      shared += totals.sharedSlowestTime.value();
      timed &= totals.isTimed();
    }
    for (LayeredFile file : run.accumulator.layers().files()) {
      timed &= file.isAtMpiio() || !file.mpiio.hasDataOperations();
    }
    double seconds = seconds();
    boolean unknown = (!timed && seconds == 0) || run.traffic.isOfLibrary();
    Double known = unknown ? null : Double.valueOf(seconds);
    EvidenceClass evidence = timed && !isBelowLibrary() ? EXACT : LOWER_BOUND;
    boolean incomplete = !isListedTimed() || lacksFiles || isCollectiveUnseen();
    out.put("io_time_seconds", known, least(evidence), Kind.TOTAL, incomplete, layers);
    Double own = applicationBytes();
    EvidenceClass of = lacksFiles || objectsBelow ? BOUNDED : EXACT;
    out.put("application_bytes", own, of, Kind.TOTAL, layers);
    rates(known, own);
  }

  /** The modules that the application may have called itself; MPI-IO's files are apart. */
  private List<Module> callable() {
    return objectsBelow ? List.of(POSIX, STDIO) : List.of(POSIX, STDIO, run.traffic.objects);
  }

  private Double applicationBytes() {
    Double moved = out.value("bytes_moved");
    if (moved == null || run.traffic.lacksPosix()) {
      return moved;
    }
    ModuleTotals objects = run.all(run.traffic.objects);
    double below =
        objectsBelow ? objects.bytes(Direction.READ) + objects.bytes(Direction.WRITE) : 0;
    return Math.max(0, moved - below + bytes);
  }

  private void rates(Double seconds, Double own) {
    boolean exact = out.feature("io_time_seconds").evidence() == EXACT;
    EvidenceClass inverse = lacksFiles ? BOUNDED : exact ? EXACT : UPPER_BOUND;
    Double rate =
        own == null || seconds == null
            ? null
            : Double.valueOf(seconds == 0 ? 0 : own / MIB / seconds);
    out.put("mib_per_second", rate, inverse, Kind.SHARE, layers);
    double runTime = run.runTimeSeconds;
    Double share = seconds == null || !(runTime > 0) ? null : Double.valueOf(seconds / runTime);
    out.put("io_share", share, exact ? EXACT : LOWER_BOUND, Kind.SHARE, layers);
    Double streams = out.value("stdio_site_agg_time_by_slowest_seconds");
    if (seconds != null && seconds == 0) {
      out.undefined("stdio_time_share", layers);
    } else {
      Double part = streams == null || seconds == null ? null : Double.valueOf(streams / seconds);
      out.put("stdio_time_share", part, exact ? EXACT : BOUNDED, Kind.SHARE, layers);
    }
  }

  /** Times that are unknown elsewhere, such as those of a stream, are of little weight. */
  private boolean isListedTimed() {
    return run.listed(POSIX).isTimed() && run.listed(STDIO).isTimed();
  }

  /**
   * HDF5 or PnetCDF called MPI-IO, whose time may be many times that of POSIX, and no log of it.
   */
  private boolean isCollectiveUnseen() {
    boolean called =
        run.library(Module.H5F).parallel.value() > 0
            || run.library(Module.PNETCDF_FILE).objects.value() > 0;
    return called && RequestFeatures.mpiioOperations(run.all(MPIIO)) == 0;
  }

  /** HDF5 and PnetCDF spend time of their own, which no module below them sees. */
  private boolean isBelowLibrary() {
    return Module.LIBRARIES.stream().anyMatch(module -> run.library(module).objects.value() > 0);
  }

  /**
   * The time of MPI-IO less that of POSIX, over the files with collective data operations. A rank
   * is taken to have waited for the slowest POSIX call on the file, by whatever rank: what is left
   * is a lower bound.
   */
  private void collectiveOverhead() {
    Map<Long, Double> ranks = new TreeMap<>();
    Map<Long, Double> overheads = new TreeMap<>();
    double sharedSeconds = 0;
    double sharedOverhead = 0;
    for (LayeredFile file : run.accumulator.layers().files()) {
      if (file.listed && file.isAtMpiio() && file.mpiio.collectives.value() > 0) {
        double below = file.posix.slowestSeconds();
        double waited = file.mpiio.shared.value();
        sharedSeconds += waited;
        sharedOverhead += Math.max(0, waited - below);
        file.mpiio
            .ranks()
            .forEach(
                (rank, time) -> {
                  ranks.merge(rank, time.value(), Double::sum);
                  overheads.merge(rank, Math.max(0, time.value() - below), Double::sum);
                });
      }
    }
    put("collective_io_seconds", sharedSeconds + largest(ranks), least(EXACT));
    put("collective_overhead_seconds", sharedOverhead + largest(overheads), LOWER_BOUND);
  }

  private static double largest(Map<Long, Double> seconds) {
    return seconds.values().stream().mapToDouble(s -> s).max().orElse(0);
  }

  /**
   * POSIX reads below MPI-IO or HDF5 that nobody above asked for: the library reads a block,
   * changes a part of it and writes it back.
   */
  private void readModifyWrite() {
    double hdf5Reads = run.library(Module.H5D).sums.of("READS").value();
    double reads = 0;
    double writes = 0;
    double sieved = 0;
    for (LayeredFile file : run.accumulator.layers().files()) {
      boolean atMpiio = file.mpiio.hasDataOperations();
      if (!file.listed || !(atMpiio || file.belowLibrary)) {
        continue;
      }
      double asked = atMpiio ? file.mpiio.reads.value() : hdf5Reads;
      double read = file.posix.smallReads.value();
      if (asked <= MOST_ASKED * read && file.posix.smallWrites.value() > 0) {
        reads += read - asked;
        writes += file.posix.smallWrites.value();
      }
      if (atMpiio && asked == 0) {
        sieved += file.posix.bytesRead.value();
      }
    }
    out.put("rmw_small_reads", reads, BOUNDED, Kind.TOTAL, POSIX, MPIIO, Module.H5D);
    out.put("rmw_small_writes", writes, BOUNDED, Kind.TOTAL, POSIX, MPIIO, Module.H5D);
    out.put("sieved_read_bytes", sieved, BOUNDED, Kind.TOTAL, POSIX, MPIIO);
  }

  private void put(String name, double seconds, EvidenceClass own) {
    out.put(name, seconds, own, Kind.TOTAL, POSIX, MPIIO);
  }
}
