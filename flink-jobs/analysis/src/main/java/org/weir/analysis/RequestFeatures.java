package org.weir.analysis;

import static org.weir.analysis.EvidenceClass.BOUNDED;
import static org.weir.analysis.EvidenceClass.EXACT;
import static org.weir.analysis.EvidenceClass.LOWER_BOUND;
import static org.weir.analysis.Module.MPIIO;
import static org.weir.analysis.Module.POSIX;
import static org.weir.analysis.Module.STDIO;

import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import org.weir.analysis.FeatureWriter.Kind;

/** Size, alignment and order of requests. */
final class RequestFeatures {
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

  static void write(RunTotals run, FeatureWriter out) {
    RequestFeatures features =
        new RequestFeatures(run, out, run.listed(POSIX), run.listed(MPIIO), file -> true);
    features.counts();
    features.stdio();
    features.sizes();
    features.small();
    features.alignment();
    features.order();
    features.switches();
  }

  /** Requests on one listed file system: their number, their sizes and their alignment. */
  static void writeOf(RunTotals run, String mount, FeatureWriter out) {
    MountTotals totals = run.listedMounts.get(mount);
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
    out.total("reads", posix.sum("READS"), POSIX);
    out.total("writes", posix.sum("WRITES"), POSIX);
    out.total("fsyncs", List.of(posix.sum("FSYNCS"), posix.sum("FDSYNCS")), POSIX);
  }

  private void stdio() {
    out.total("stdio_reads", run.listed(STDIO).sum("READS"), STDIO);
    out.total("stdio_writes", run.listed(STDIO).sum("WRITES"), STDIO);
    out.total("stdio_opens", run.listed(STDIO).sum("OPENS"), STDIO);
    out.total("stdio_seeks", run.listed(STDIO).sum("SEEKS"), STDIO);
    out.total("stdio_flushes", run.listed(STDIO).sum("FLUSHES"), STDIO);
  }

  private void sizes() {
    for (String direction : List.of("READ_", "WRITE_")) {
      for (String size : Module.Counters.SIZES) {
        size(POSIX, "SIZE_" + direction + size);
        size(MPIIO, "SIZE_" + direction + "AGG_" + size);
      }
    }
  }

  private void size(Module module, String counter) {
    String name = module.featurePrefix() + "_" + counter.toLowerCase(Locale.ROOT);
    out.total(name, run.listed(module).sum(counter), module);
  }

  private void small() {
    SmallRequests small = SmallRequestJoin.of(posix.small, files, mpiioOperations(mpiio) > 0);
    EvidenceClass own = excused();
    out.bounds("small_reads", small.readsLower, small.readsUpper, own, POSIX, MPIIO);
    out.bounds("small_writes", small.writesLower, small.writesUpper, own, POSIX, MPIIO);
    out.bounds(
        "small_and_unaligned_writes",
        small.unalignedWritesLower,
        small.unalignedWritesUpper,
        own,
        POSIX,
        MPIIO);
    double reads = requests("READS", "BYTES_READ");
    double writes = requests("WRITES", "BYTES_WRITTEN");
    share("small_read_share", "small_reads", reads, POSIX, MPIIO);
    share("small_write_share", "small_writes", writes, POSIX, MPIIO);
    share("small_and_unaligned_write_share", "small_and_unaligned_writes", writes, POSIX, MPIIO);
  }

  private void alignment() {
    out.total("unaligned_requests", posix.sum("FILE_NOT_ALIGNED"), POSIX);
    out.put(
        "surely_unaligned_requests",
        FeatureWriter.valueOf(posix.surelyUnaligned),
        sameAs(posix.surelyUnaligned, posix.sum("FILE_NOT_ALIGNED")) ? EXACT : LOWER_BOUND,
        Kind.TOTAL,
        POSIX);
    out.total("memory_unaligned_requests", posix.sum("MEM_NOT_ALIGNED"), POSIX);
    double reads = requests("READS", "BYTES_READ");
    double writes = requests("WRITES", "BYTES_WRITTEN");
    share("unaligned_share", "surely_unaligned_requests", bothDirections(reads, writes), POSIX);
    if (posix.fileAlignment == 0) {
      out.undefined("file_alignment_bytes", POSIX);
      out.undefined("file_alignment_smallest_bytes", POSIX);
    } else {
      Double largest = (double) posix.fileAlignment;
      long smallest = posix.smallestFileAlignment;
      out.put("file_alignment_bytes", largest, EXACT, Kind.SHARE, POSIX);
      out.put(
          "file_alignment_smallest_bytes",
          smallest == 0 ? null : Double.valueOf((double) smallest),
          EXACT,
          Kind.SHARE,
          POSIX);
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

  private void order() {
    for (String direction : List.of("READ", "WRITE")) {
      String plural = direction.toLowerCase(Locale.ROOT) + "s";
      Count requests = posix.sum(direction + "S");
      Count sequential = posix.sum("SEQ_" + direction + "S");
      Count random = direction.equals("READ") ? posix.randomReads : posix.randomWrites;
      out.total("sequential_" + plural, sequential, POSIX);
      out.total("consecutive_" + plural, posix.sum("CONSEC_" + direction + "S"), POSIX);
      boolean known = requests.isAvailable() && sequential.isAvailable() && random.isAvailable();
      Count upper = new Count();
      upper.add(known ? requests.value() - sequential.value() : -1);
      out.bounds("random_" + plural, random, upper, POSIX);
      String share = "random_" + direction.toLowerCase(Locale.ROOT) + "_share";
      String bytes = direction.equals("READ") ? "BYTES_READ" : "BYTES_WRITTEN";
      share(share, "random_" + plural, requests(direction + "S", bytes), POSIX);
    }
  }

  /** Records of MPI-IO that are missing may excuse what was counted below their files. */
  private EvidenceClass excused() {
    return out.isWhole(MPIIO) ? EXACT : BOUNDED;
  }

  /** Of files without MPI-IO data operations: data sieving switches too. */
  private void switches() {
    boolean all = run.files.isComplete();
    boolean known = posix.sum("RW_SWITCHES").isAvailable();
    Double switches = run.files.sum(f -> true, ListedFile::extraSwitches);
    Double accesses = run.files.sum(f -> !f.hasMpiioData(), RequestFeatures::posixRequests);
    out.put(
        "extra_read_write_switches",
        known ? switches : null,
        excused().worst(all ? EXACT : LOWER_BOUND),
        Kind.TOTAL,
        !all,
        POSIX,
        MPIIO);
    if (known && accesses == 0) {
      out.undefined("extra_read_write_switch_share", POSIX, MPIIO);
    } else {
      out.put(
          "extra_read_write_switch_share",
          known ? switches / accesses : null,
          all ? EXACT : BOUNDED,
          Kind.SHARE,
          POSIX,
          MPIIO);
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

  private void share(String name, String part, double whole, Module... modules) {
    Feature count = out.feature(part);
    if (count.value() != null && whole == 0) {
      out.undefined(name, modules);
    } else {
      EvidenceClass own = count.incomplete() ? BOUNDED : count.evidence();
      Double share = count.value() == null ? null : Double.valueOf(count.value() / whole);
      out.put(name, share, own, Kind.SHARE, modules);
    }
  }
}
