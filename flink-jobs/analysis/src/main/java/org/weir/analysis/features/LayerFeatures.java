package org.weir.analysis.features;

import static java.util.Objects.requireNonNull;
import static org.weir.analysis.evidence.EvidenceClass.BOUNDED;
import static org.weir.analysis.evidence.EvidenceClass.EXACT;
import static org.weir.analysis.evidence.EvidenceClass.LOWER_BOUND;
import static org.weir.analysis.evidence.EvidenceClass.UPPER_BOUND;
import static org.weir.analysis.log.Module.DAOS;
import static org.weir.analysis.log.Module.DFS;
import static org.weir.analysis.log.Module.MPIIO;
import static org.weir.analysis.log.Module.POSIX;
import static org.weir.analysis.log.Module.STDIO;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.weir.analysis.accumulate.LayeredFile;
import org.weir.analysis.accumulate.ModuleTotals;
import org.weir.analysis.evidence.EvidenceClass;
import org.weir.analysis.evidence.FeatureGroup;
import org.weir.analysis.evidence.FeatureSpec;
import org.weir.analysis.evidence.FeatureWriter;
import org.weir.analysis.log.Direction;
import org.weir.analysis.log.Module;
import org.weir.analysis.totals.ListedFile;
import org.weir.analysis.totals.RunTotals;

/**
 * Computes what the application waited for: time and bytes of each file at the layer that the
 * application called. That is MPI-IO for a file with MPI-IO data operations, else POSIX; streams
 * stand for themselves. Layers of one file are never added. Also computes what MPI-IO cost beyond
 * the POSIX calls below it.
 */
public final class LayerFeatures {

  static final FeatureGroup FEATURES = FeatureGroup.ofLog();

  private static final FeatureSpec APPLICATION_BYTES =
      FEATURES.total(
          "application_bytes",
          "bytes at the layer that the application called: of a file with MPI-IO data operations"
              + " those of MPI-IO, else of POSIX; of streams those of STDIO",
          POSIX,
          MPIIO,
          STDIO,
          DFS,
          DAOS);
  private static final FeatureSpec IO_TIME_SECONDS =
      FEATURES.total(
          "io_time_seconds",
          "time at the layer that the application called, as for application_bytes: largest rank's"
              + " time over its unshared files + the slowest rank's over each shared one; at MPI-IO"
              + " waiting for other processes is in it; below HDF5 and PnetCDF a lower bound; of"
              + " POSIX + STDIO where application_bytes is null",
          POSIX,
          MPIIO,
          STDIO,
          DFS,
          DAOS);
  private static final FeatureSpec IO_TIME_MPIIO_SECONDS =
      FEATURES.total(
          "io_time_mpiio_seconds",
          "the part of io_time_seconds that is taken at MPI-IO",
          POSIX,
          MPIIO);
  public static final FeatureSpec MIB_PER_SECOND =
      ofAllLayers("mib_per_second", "MiB of application_bytes / io_time_seconds");
  private static final FeatureSpec IO_SHARE =
      ofAllLayers("io_share", "io_time_seconds / run_time_seconds; can exceed 1");
  private static final FeatureSpec STDIO_TIME_SHARE =
      ofAllLayers("stdio_time_share", "stdio_site_agg_time_by_slowest_seconds / io_time_seconds");
  private static final FeatureSpec COLLECTIVE_IO_SECONDS =
      FEATURES.total(
          "collective_io_seconds",
          "MPI-IO's time, by the slowest rank, of the listed files at least half of whose data"
              + " operations are collective; opens, closes and independent calls are in it",
          MPIIO);
  private static final FeatureSpec COLLECTIVE_OVERHEAD_SECONDS =
      FEATURES.total(
          "collective_overhead_seconds",
          "collective_io_seconds less POSIX's time of the same files, lower bound; of the files of"
              + " which POSIX wrote no less than MPI-IO, and only where the log has all POSIX"
              + " records",
          MPIIO);
  private static final FeatureSpec RMW_SMALL_READS =
      FEATURES.total(
          "rmw_small_reads",
          "POSIX reads surely below 1 MiB of listed files that MPI-IO or HDF5 wrote, read below them"
              + " without a read above, in turns with the writes",
          POSIX,
          MPIIO,
          Module.H5D);
  private static final FeatureSpec RMW_SMALL_WRITES =
      FEATURES.total(
          "rmw_small_writes",
          "POSIX writes surely below 1 MiB of the files of rmw_small_reads",
          POSIX,
          MPIIO,
          Module.H5D);
  private static final FeatureSpec RMW_READ_BYTES =
      FEATURES.total(
          "rmw_read_bytes",
          "POSIX bytes read of the files of rmw_small_reads beyond those that MPI-IO or HDF5 was"
              + " asked for; 0 where the blocks had not been written before",
          POSIX,
          MPIIO,
          Module.H5D);
  private static final FeatureSpec SIEVED_READ_BYTES =
      FEATURES.total(
          "sieved_read_bytes",
          "POSIX bytes read of listed files that MPI-IO wrote and never read, and where POSIX"
              + " alternates between the two: data sieving",
          POSIX,
          MPIIO);

  private static final double MIB = 1 << 20;

  /** A program that reads more than that itself may have had its reads split. */
  private static final double MOST_ASKED = 0.1;

  /**
   * Seconds that a call takes around what Darshan measures of it. A program that wrote 400,000
   * lines with fprintf found 0.64 us a call more than its log has.
   */
  private static final double UNMEASURED_SECONDS = 0.5e-6;

  /** Below this share of the time, what was not measured is of no weight. */
  private static final double LITTLE = 0.05;

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

  private static FeatureSpec ofAllLayers(String name, String meaning) {
    return FEATURES.ofPart(name, meaning, POSIX, MPIIO, STDIO, DFS, DAOS);
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
    return operations < RequestFeatures.mpiioOperations(run.all(MPIIO));
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
    out.put(IO_TIME_MPIIO_SECONDS, seconds(), least(EXACT), false, run.traffic.files, MPIIO);
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
    boolean measured = timed && !isBelowLibrary() && unmeasured() <= LITTLE * seconds;
    // More than the run took: its threads waited at the same time, or its files for others of them.
    EvidenceClass evidence =
        seconds > run.runTimeSeconds ? BOUNDED : measured ? EXACT : LOWER_BOUND;
    boolean incomplete = !isListedTimed() || lacksFiles || isCollectiveUnseen();
    out.put(IO_TIME_SECONDS, known, least(evidence), incomplete, layers);
    Double own = applicationBytes();
    // Where MPI-IO lacks records, its files count with what POSIX moved, which may be more.
    boolean whole = !lacksFiles && !objectsBelow && out.isWhole(MPIIO);
    out.put(APPLICATION_BYTES, own, whole ? EXACT : BOUNDED, false, layers);
    rates(known, own);
  }

  /** Seconds of the mean process in its calls of POSIX and STDIO that Darshan did not measure. */
  private double unmeasured() {
    double calls = 0;
    for (Module module : List.of(POSIX, STDIO)) {
      for (String counter : List.of("READS", "WRITES", "SEEKS")) {
        calls += (double) run.all(module).sum(counter).value();
      }
    }
    return calls / run.nprocs * UNMEASURED_SECONDS;
  }

  /** The modules that the application may have called itself; MPI-IO's files are apart. */
  private List<Module> callable() {
    return objectsBelow ? List.of(POSIX, STDIO) : List.of(POSIX, STDIO, run.traffic.objects);
  }

  private @Nullable Double applicationBytes() {
    Double moved = out.value(VolumeFeatures.BYTES_MOVED);
    if (moved == null || run.traffic.lacksPosix()) {
      return moved;
    }
    ModuleTotals objects = run.all(run.traffic.objects);
    double below =
        objectsBelow ? objects.bytes(Direction.READ) + objects.bytes(Direction.WRITE) : 0;
    return Math.max(0, moved - below + bytes);
  }

  private void rates(@Nullable Double seconds, @Nullable Double own) {
    EvidenceClass time = out.feature(IO_TIME_SECONDS).evidence();
    boolean exact = time == EXACT;
    EvidenceClass inverse = time == LOWER_BOUND ? UPPER_BOUND : time;
    inverse = inverse.worst(out.feature(APPLICATION_BYTES).evidence());
    Double rate =
        own == null || seconds == null
            ? null
            : Double.valueOf(seconds == 0 ? 0 : own / MIB / seconds);
    out.put(MIB_PER_SECOND, rate, inverse, false, layers);
    double runTime = run.runTimeSeconds;
    Double share = seconds == null || !(runTime > 0) ? null : Double.valueOf(seconds / runTime);
    out.put(IO_SHARE, share, time, false, layers);
    Double streams = out.value(requireNonNull(TimeFeatures.LISTED_AGG_TIME_BY_SLOWEST.get(STDIO)));
    if (seconds != null && seconds == 0) {
      out.undefined(STDIO_TIME_SHARE, layers);
    } else {
      Double part = streams == null || seconds == null ? null : Double.valueOf(streams / seconds);
      out.put(STDIO_TIME_SHARE, part, exact ? EXACT : BOUNDED, false, layers);
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
   * The time of MPI-IO less that of POSIX, over the files most of whose operations are collective.
   * A rank is taken to have waited for the slowest POSIX call on the file, by whatever rank: what
   * is left is a lower bound, as long as POSIX has all that was done below.
   */
  private void collectiveOverhead() {
    Map<Long, Double> ranks = new TreeMap<>();
    Map<Long, Double> overheads = new TreeMap<>();
    double sharedSeconds = 0;
    double sharedOverhead = 0;
    for (LayeredFile file : run.accumulator.layers().files()) {
      if (file.listed && file.isAtMpiio() && file.mpiio.isMostlyCollective()) {
        double below = file.isWholeBelow() ? file.posix.slowestSeconds() : Double.MAX_VALUE;
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
    double seconds = sharedSeconds + largest(ranks);
    out.put(COLLECTIVE_IO_SECONDS, seconds, least(EXACT));
    // A part of the time below makes what is left of that above neither more nor less.
    Double overhead =
        seconds == 0 || out.isWhole(POSIX)
            ? Double.valueOf(sharedOverhead + largest(overheads))
            : null;
    out.put(COLLECTIVE_OVERHEAD_SECONDS, overhead, LOWER_BOUND);
  }

  private static double largest(Map<Long, Double> seconds) {
    return seconds.values().stream().mapToDouble(s -> s).max().orElse(0);
  }

  /**
   * POSIX reads below MPI-IO or HDF5 that nobody above asked for: the library reads a block,
   * changes a part of it and writes it back. So reads and writes alternate; a program that reads
   * with POSIX what it wrote with MPI-IO switches once. Blocks beyond the end of the file are read
   * too, and give no bytes.
   */
  private void readModifyWrite() {
    Set<Long> alternating = new HashSet<>();
    run.files.stream()
        .filter(ListedFile::alternates)
        .forEach(file -> alternating.add(file.recordId()));
    double hdf5Reads = run.library(Module.H5D).sums.of("READS").value();
    double hdf5Bytes = run.library(Module.H5D).sums.of("BYTES_READ").value();
    double reads = 0;
    double writes = 0;
    double bytesRead = 0;
    double sieved = 0;
    for (Map.Entry<Long, LayeredFile> entry : run.accumulator.layers().byId().entrySet()) {
      LayeredFile file = entry.getValue();
      boolean atMpiio = file.mpiio.hasDataOperations();
      if (!(atMpiio || file.belowLibrary) || !alternating.contains(entry.getKey())) {
        continue;
      }
      double asked = atMpiio ? file.mpiio.reads.value() : hdf5Reads;
      double askedBytes = atMpiio ? file.mpiio.bytesRead.value() : hdf5Bytes;
      double read = file.posix.smallReads.value();
      double unasked = Math.max(0, file.posix.bytesRead.value() - askedBytes);
      boolean own =
          asked > MOST_ASKED * read || askedBytes > MOST_ASKED * file.posix.bytesRead.value();
      if (!own && file.posix.smallWrites.value() > 0) {
        reads += read - asked;
        writes += file.posix.smallWrites.value();
        bytesRead += unasked;
      }
      if (atMpiio && file.mpiio.reads.isAvailable() && asked == 0) {
        sieved += file.posix.bytesRead.value();
      }
    }
    boolean lacking = !run.files.isComplete();
    out.put(RMW_SMALL_READS, reads, BOUNDED, lacking);
    out.put(RMW_SMALL_WRITES, writes, BOUNDED, lacking);
    out.put(RMW_READ_BYTES, bytesRead, BOUNDED, lacking);
    out.put(SIEVED_READ_BYTES, sieved, BOUNDED, lacking);
  }
}
