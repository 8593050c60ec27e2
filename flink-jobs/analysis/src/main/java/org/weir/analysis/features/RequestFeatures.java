package org.weir.analysis.features;

import static java.util.Objects.requireNonNull;
import static org.weir.analysis.evidence.EvidenceClass.BOUNDED;
import static org.weir.analysis.evidence.EvidenceClass.EXACT;
import static org.weir.analysis.evidence.EvidenceClass.LOWER_BOUND;
import static org.weir.analysis.log.Module.MPIIO;
import static org.weir.analysis.log.Module.POSIX;
import static org.weir.analysis.log.Module.STDIO;

import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.weir.analysis.accumulate.FileTotals;
import org.weir.analysis.accumulate.FileUse;
import org.weir.analysis.accumulate.ModuleTotals;
import org.weir.analysis.accumulate.MountTotals;
import org.weir.analysis.accumulate.SmallRequests;
import org.weir.analysis.evidence.EvidenceClass;
import org.weir.analysis.evidence.Feature;
import org.weir.analysis.evidence.FeatureGroup;
import org.weir.analysis.evidence.FeatureSpec;
import org.weir.analysis.evidence.FeatureSpec.Bounds;
import org.weir.analysis.evidence.FeatureWriter;
import org.weir.analysis.log.Direction;
import org.weir.analysis.log.Module;
import org.weir.analysis.state.Count;
import org.weir.analysis.totals.ListedFile;
import org.weir.analysis.totals.RunTotals;
import org.weir.analysis.totals.SmallRequestJoin;

/** Computes size, alignment and order of requests. */
final class RequestFeatures {

  static final FeatureGroup FEATURES = FeatureGroup.ofLog();

  private static final FeatureGroup BY_FILESYSTEM = FEATURES.byFilesystem();

  private static final FeatureSpec READS = BY_FILESYSTEM.whole().sum("reads", POSIX, "READS");
  private static final FeatureSpec WRITES = BY_FILESYSTEM.whole().sum("writes", POSIX, "WRITES");
  private static final FeatureSpec FSYNCS = FEATURES.sum("fsyncs", POSIX, "FSYNCS", "FDSYNCS");

  private static final String SMALL = " below 1 MiB, listed: exact 1 MiB requests taken out";
  private static final String ONLY_LOWER =
      ", of a file with MPI-IO data operations no more than MPI-IO itself issued small, and of"
          + " consecutive requests of one process none above 100 KiB";
  private static final Bounds SMALL_READS = small("small_reads", "POSIX reads");
  private static final Bounds SMALL_WRITES = small("small_writes", "POSIX writes");
  private static final Bounds SMALL_AND_UNALIGNED_WRITES =
      BY_FILESYSTEM.bounds(
          "small_and_unaligned_writes",
          "POSIX writes that are small and unaligned, listed",
          "",
          POSIX,
          MPIIO);
  private static final String SHARE = " / max(requests, MiB moved) of that direction, listed";
  private static final FeatureSpec SMALL_READ_SHARE =
      FEATURES.ofPart("small_read_share", "small_reads" + SHARE, POSIX, MPIIO);
  private static final FeatureSpec SMALL_WRITE_SHARE =
      FEATURES.ofPart("small_write_share", "small_writes" + SHARE, POSIX, MPIIO);
  private static final FeatureSpec SMALL_AND_UNALIGNED_WRITE_SHARE =
      BY_FILESYSTEM.ofPart(
          "small_and_unaligned_write_share", "small_and_unaligned_writes" + SHARE, POSIX, MPIIO);

  private static final FeatureSpec UNALIGNED_REQUESTS =
      FEATURES.sum("unaligned_requests", POSIX, "FILE_NOT_ALIGNED");
  private static final FeatureSpec SURELY_UNALIGNED_REQUESTS =
      BY_FILESYSTEM.total(
          "surely_unaligned_requests",
          "unaligned_requests of each record less its reads below 100 B: at a file's end these may"
              + " be of 0 bytes",
          POSIX);
  private static final FeatureSpec UNALIGNED_SHARE =
      BY_FILESYSTEM.ofPart(
          "unaligned_share", "surely_unaligned_requests / max(requests, MiB moved), listed", POSIX);
  private static final FeatureSpec MEMORY_UNALIGNED_REQUESTS =
      FEATURES.sum("memory_unaligned_requests", POSIX, "MEM_NOT_ALIGNED");
  private static final FeatureSpec FILE_ALIGNMENT_BYTES =
      BY_FILESYSTEM.ofPart("file_alignment_bytes", "largest POSIX_FILE_ALIGNMENT, listed", POSIX);
  private static final FeatureSpec FILE_ALIGNMENT_SMALLEST_BYTES =
      BY_FILESYSTEM.ofPart(
          "file_alignment_smallest_bytes", "smallest POSIX_FILE_ALIGNMENT, listed", POSIX);

  private static final Order READ_ORDER = new Order("READ", "BYTES_READ");
  private static final Order WRITE_ORDER = new Order("WRITE", "BYTES_WRITTEN");

  private static final FeatureSpec EXTRA_READ_WRITE_SWITCHES =
      FEATURES.total(
          "extra_read_write_switches",
          "POSIX_RW_SWITCHES beyond one per file and rank, listed files without MPI-IO data"
              + " operations",
          POSIX,
          MPIIO);
  private static final FeatureSpec EXTRA_READ_WRITE_SWITCH_SHARE =
      FEATURES.ofPart(
          "extra_read_write_switch_share",
          "extra_read_write_switches / reads and writes of the same files",
          POSIX,
          MPIIO);

  private static final List<FeatureSpec> OF_STREAMS =
      Stream.of("READS", "WRITES", "OPENS", "SEEKS", "FLUSHES")
          .map(counter -> FEATURES.sum("stdio_" + counter.toLowerCase(Locale.ROOT), STDIO, counter))
          .toList();

  private static final List<FeatureSpec> SIZES =
      Stream.of("READ_", "WRITE_")
          .flatMap(
              direction ->
                  Module.Counters.SIZES.stream()
                      .flatMap(
                          size ->
                              Stream.of(
                                  size(POSIX, "SIZE_" + direction + size),
                                  size(MPIIO, "SIZE_" + direction + "AGG_" + size))))
          .toList();

  private static final double MIB = 1 << 20;

  /** What counts an MPI-IO operation that moves data. */
  private static final List<String> MPIIO_OPERATIONS =
      MPIIO.summed().stream()
          .filter(counter -> counter.matches("(INDEP|COLL|SPLIT|NB)_(READS|WRITES)"))
          .toList();

  private final RunTotals run;
  private final FeatureWriter out;
  private final ModuleTotals posix;
  private final ModuleTotals mpiio;
  private final List<FileTotals> files;

  private RequestFeatures(
      RunTotals run,
      FeatureWriter out,
      ModuleTotals posix,
      ModuleTotals mpiio,
      Predicate<ListedFile> which) {
    this.run = run;
    this.out = out;
    this.posix = posix;
    this.mpiio = mpiio;
    this.files = run.files.stream().filter(which).map(ListedFile::totals).toList();
  }

  private static Bounds small(String name, String requests) {
    return FEATURES.whole().bounds(name, requests + SMALL, ONLY_LOWER, POSIX, MPIIO);
  }

  private static FeatureSpec size(Module module, String counter) {
    String name = module.featurePrefix() + "_" + counter.toLowerCase(Locale.ROOT);
    return FEATURES.sum(name, ", listed; its top edge is inclusive", module, counter);
  }

  /** Declares what is known of the order of the requests of one direction. */
  private static final class Order {
    final String requests;
    final String bytes;
    final FeatureSpec sequential;
    final FeatureSpec consecutive;
    final Bounds random;
    final FeatureSpec randomShare;

    Order(String direction, String bytes) {
      this.requests = direction + "S";
      this.bytes = bytes;
      String name = requests.toLowerCase(Locale.ROOT);
      sequential = FEATURES.sum("sequential_" + name, POSIX, "SEQ_" + requests);
      consecutive = FEATURES.sum("consecutive_" + name, POSIX, "CONSEC_" + requests);
      String jumped = "POSIX " + name + " that jumped back, listed: ";
      random =
          new Bounds(
              FEATURES.total(
                  "random_" + name,
                  "lower bound of " + jumped + "of each record, n - SEQ - OPENS",
                  POSIX),
              FEATURES.ofPart(
                  "random_" + name + "_upper", "upper bound of " + jumped + "n - SEQ", POSIX));
      String share = "random_" + direction.toLowerCase(Locale.ROOT) + "_share";
      randomShare = FEATURES.ofPart(share, "random_" + name + SHARE, POSIX);
    }
  }

  static void write(RunTotals run, FeatureWriter out) {
    RequestFeatures features =
        new RequestFeatures(run, out, run.listed(POSIX), run.listed(MPIIO), file -> true);
    features.counts();
    OF_STREAMS.forEach(spec -> out.sum(spec, run.listed(STDIO)::sum));
    SIZES.forEach(spec -> out.sum(spec, run.listed(spec.modules().get(0))::sum));
    features.small();
    features.alignment();
    features.order(READ_ORDER, features.posix.randomReads);
    features.order(WRITE_ORDER, features.posix.randomWrites);
    features.switches();
  }

  /** Requests on one listed file system: their number, their sizes and their alignment. */
  static void writeOf(RunTotals run, String mount, FeatureWriter out) {
    MountTotals totals = requireNonNull(run.listedMounts.get(mount), mount);
    RequestFeatures features =
        new RequestFeatures(
            run,
            out,
            totals.module(POSIX),
            totals.module(MPIIO),
            file -> file.filesystem().equals(mount));
    features.counts();
    features.small();
    features.alignment();
  }

  /** MPI-IO operations that move data, as far as they were counted. */
  static double mpiioOperations(ModuleTotals mpiio) {
    return MPIIO_OPERATIONS.stream().mapToDouble(counter -> mpiio.sum(counter).value()).sum();
  }

  private void counts() {
    out.sum(READS, posix::sum);
    out.sum(WRITES, posix::sum);
    out.sum(FSYNCS, posix::sum);
  }

  private void small() {
    SmallRequests small = SmallRequestJoin.of(posix.small, files, mpiioOperations(mpiio) > 0);
    EvidenceClass own = excused();
    out.bounds(SMALL_READS, small.readsLower, small.readsUpper, own);
    out.bounds(SMALL_WRITES, small.writesLower, small.writesUpper, own);
    Count lower = small.unalignedWritesLower;
    out.bounds(SMALL_AND_UNALIGNED_WRITES, lower, small.unalignedWritesUpper, own);
    double reads = requests("READS", "BYTES_READ");
    double writes = requests("WRITES", "BYTES_WRITTEN");
    share(SMALL_READ_SHARE, SMALL_READS.lower(), reads);
    share(SMALL_WRITE_SHARE, SMALL_WRITES.lower(), writes);
    share(SMALL_AND_UNALIGNED_WRITE_SHARE, SMALL_AND_UNALIGNED_WRITES.lower(), writes);
  }

  private void alignment() {
    out.sum(UNALIGNED_REQUESTS, posix::sum);
    boolean all = sameAs(posix.surelyUnaligned, posix.sum("FILE_NOT_ALIGNED"));
    Double surely = FeatureWriter.valueOf(posix.surelyUnaligned);
    out.put(SURELY_UNALIGNED_REQUESTS, surely, all ? EXACT : LOWER_BOUND);
    out.sum(MEMORY_UNALIGNED_REQUESTS, posix::sum);
    double reads = requests("READS", "BYTES_READ");
    double writes = requests("WRITES", "BYTES_WRITTEN");
    share(UNALIGNED_SHARE, SURELY_UNALIGNED_REQUESTS, bothDirections(reads, writes));
    if (posix.fileAlignment == 0) {
      out.undefined(FILE_ALIGNMENT_BYTES);
      out.undefined(FILE_ALIGNMENT_SMALLEST_BYTES);
    } else {
      long smallest = posix.smallestFileAlignment;
      Double known = smallest == 0 ? null : Double.valueOf((double) smallest);
      out.put(FILE_ALIGNMENT_BYTES, (double) posix.fileAlignment, EXACT);
      out.put(FILE_ALIGNMENT_SMALLEST_BYTES, known, EXACT);
    }
  }

  private static boolean sameAs(Count a, Count b) {
    return a.isAvailable() && b.isAvailable() && a.value() == b.value();
  }

  private double bothDirections(double reads, double writes) {
    if (Double.isNaN(reads) || Double.isNaN(writes)) {
      return Double.NaN;
    }
    double requests = (double) posix.sum("READS").value() + posix.sum("WRITES").value();
    return Math.max(requests, posix.bytes(Direction.BOTH) / MIB);
  }

  private void order(Order specs, Count random) {
    Count requests = posix.sum(specs.requests);
    Count sequential = posix.sum(specs.sequential.counters().get(0));
    out.total(specs.sequential, sequential);
    out.sum(specs.consecutive, posix::sum);
    boolean known = requests.isAvailable() && sequential.isAvailable() && random.isAvailable();
    Count upper = new Count();
    upper.add(known ? requests.value() - sequential.value() : -1);
    out.bounds(specs.random, random, upper);
    share(specs.randomShare, specs.random.lower(), requests(specs.requests, specs.bytes));
  }

  /** Records of MPI-IO that are missing may excuse what was counted below their files. */
  private EvidenceClass excused() {
    return out.isWhole(MPIIO) ? EXACT : BOUNDED;
  }

  /** Counts switches in files without MPI-IO data operations: data sieving switches, too. */
  private void switches() {
    boolean all = run.files.isComplete();
    boolean known = posix.sum("RW_SWITCHES").isAvailable();
    Double switches = run.files.sum(f -> true, ListedFile::extraSwitches);
    Double accesses = run.files.sum(f -> !f.hasMpiioData(), RequestFeatures::posixRequests);
    EvidenceClass own = excused().worst(all ? EXACT : LOWER_BOUND);
    out.put(EXTRA_READ_WRITE_SWITCHES, known ? switches : null, own, !all);
    if (known && accesses == 0) {
      out.undefined(EXTRA_READ_WRITE_SWITCH_SHARE);
    } else {
      Double share = known ? Double.valueOf(switches / accesses) : null;
      out.put(EXTRA_READ_WRITE_SWITCH_SHARE, share, all ? EXACT : BOUNDED);
    }
  }

  private static double posixRequests(ListedFile file) {
    FileUse use = file.use(POSIX);
    return use == null ? 0 : (double) use.requests.value();
  }

  /**
   * Requests of one direction, or the MiB moved where there are more of those: a few large ones
   * weigh more. NaN where not known.
   */
  private double requests(String counter, String bytes) {
    Count requests = posix.sum(counter);
    Count moved = posix.sum(bytes);
    return requests.isAvailable() && moved.isAvailable()
        ? Math.max((double) requests.value(), moved.value() / MIB)
        : Double.NaN;
  }

  private void share(FeatureSpec spec, FeatureSpec part, double whole) {
    Feature count = out.feature(part);
    if (count.value() != null && whole == 0) {
      out.undefined(spec);
    } else {
      EvidenceClass own = count.incomplete() ? BOUNDED : count.evidence();
      Double share = count.value() == null ? null : Double.valueOf(count.value() / whole);
      out.put(spec, share, own);
    }
  }
}
