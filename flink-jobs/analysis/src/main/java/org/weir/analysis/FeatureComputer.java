package org.weir.analysis;

import static org.weir.analysis.EvidenceClass.BOUNDED;
import static org.weir.analysis.EvidenceClass.EXACT;
import static org.weir.analysis.EvidenceClass.LOWER_BOUND;
import static org.weir.analysis.EvidenceClass.UNKNOWABLE;
import static org.weir.analysis.EvidenceClass.UPPER_BOUND;
import static org.weir.analysis.Module.MPIIO;
import static org.weir.analysis.Module.POSIX;
import static org.weir.analysis.Module.STDIO;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.weir.wire.LogEnd;
import org.weir.wire.LogHeader;
import org.weir.wire.ModuleHeader;

/** Turns the sums over a log's records into features with their evidence classes. */
final class FeatureComputer {
  private static final double MIB = 1 << 20;

  private final LogHeader header;
  private final RunAccumulator accumulator;
  private final Site site;
  private final LogState logState;
  private final Map<Module, LogState.OfModule> states;
  private final long nprocs;

  /** Totals on listed file systems, and everywhere else. */
  private final Map<Module, ModuleTotals> listed = new EnumMap<>(Module.class);

  private final Map<Module, ModuleTotals> elsewhere = new EnumMap<>(Module.class);
  private final Map<Module, ModuleTotals> all = new EnumMap<>(Module.class);
  private final Map<String, Feature> features = new TreeMap<>();

  FeatureComputer(
      LogHeader header, LogEnd end, boolean batchesMissing, RunAccumulator accumulator, Site site) {
    this.header = header;
    this.accumulator = accumulator;
    this.site = site;
    this.logState = LogState.of(header, end, batchesMissing);
    this.states = LogState.modules(header, end, batchesMissing);
    this.nprocs = Math.max(1, header.getNprocs());
    for (Module module : Module.values()) {
      ModuleTotals there = new ModuleTotals();
      ModuleTotals notThere = new ModuleTotals();
      accumulator
          .mounts()
          .forEach(
              (mount, totals) -> (isListed(mount) ? there : notThere).merge(totals.module(module)));
      ModuleTotals both = new ModuleTotals();
      both.merge(there);
      both.merge(notThere);
      listed.put(module, there);
      elsewhere.put(module, notThere);
      all.put(module, both);
    }
  }

  private static boolean isListed(String mount) {
    return !mount.equals(RunAccumulator.OTHER_MOUNTS) && !mount.equals(RunAccumulator.STREAMS);
  }

  RunFeatures compute() {
    run();
    volume();
    times();
    metadata();
    for (Module module : Module.values()) {
      effectiveRanks(module);
    }
    requests();
    String filesystem = filesystem();
    OwnTraffic own = OwnTraffic.of(filesystem, accumulator, all);
    return new RunFeatures(
        RunFeatures.FORMAT,
        logState,
        header.getModules().stream().map(ModuleHeader::getName).toList(),
        filesystem,
        direction(),
        header.getNprocs(),
        header.getStartTime(),
        header.getRunTimeSeconds(),
        features,
        own.slots(),
        own.evidence());
  }

  private void run() {
    put("nprocs", (double) header.getNprocs(), EXACT, Kind.TOTAL);
    put("run_time_seconds", header.getRunTimeSeconds(), EXACT, Kind.TOTAL);
    DistinctIds files = accumulator.files();
    put("files", files.value(), files.isExact() ? EXACT : BOUNDED, Kind.TOTAL, POSIX, STDIO);
  }

  private void volume() {
    ModuleTotals posix = all.get(POSIX);
    ModuleTotals stdio = all.get(STDIO);
    total("bytes_read", List.of(posix.bytesRead, stdio.bytesRead), POSIX, STDIO);
    total("bytes_written", List.of(posix.bytesWritten, stdio.bytesWritten), POSIX, STDIO);
    total(
        "bytes_moved",
        List.of(posix.bytesRead, posix.bytesWritten, stdio.bytesRead, stdio.bytesWritten),
        POSIX,
        STDIO);
    ModuleTotals sitePosix = listed.get(POSIX);
    ModuleTotals siteStdio = listed.get(STDIO);
    total(
        "site_bytes",
        List.of(
            sitePosix.bytesRead,
            sitePosix.bytesWritten,
            siteStdio.bytesRead,
            siteStdio.bytesWritten),
        POSIX,
        STDIO);
    total("other_mount_bytes", bytesOf(RunAccumulator.OTHER_MOUNTS), POSIX, STDIO);
    total("standard_stream_bytes", bytesOf(RunAccumulator.STREAMS), STDIO);
    for (Module module : Module.values()) {
      String name = module.featurePrefix();
      ModuleTotals any = all.get(module);
      ModuleTotals there = listed.get(module);
      total(name + "_bytes", List.of(any.bytesRead, any.bytesWritten), module);
      total(name + "_site_bytes", List.of(there.bytesRead, there.bytesWritten), module);
      total(name + "_site_bytes_read", List.of(there.bytesRead), module);
      total(name + "_site_bytes_written", List.of(there.bytesWritten), module);
    }
  }

  /** Bytes of POSIX and STDIO of one mount class. */
  private List<Count> bytesOf(String mount) {
    MountTotals totals = accumulator.mounts().get(mount);
    if (totals == null) {
      return List.of();
    }
    ModuleTotals posix = totals.module(POSIX);
    ModuleTotals stdio = totals.module(STDIO);
    return List.of(posix.bytesRead, posix.bytesWritten, stdio.bytesRead, stdio.bytesWritten);
  }

  private void times() {
    for (Module module : Module.values()) {
      String name = module.featurePrefix();
      Double time = aggTimeBySlowest(all.get(module));
      put(name + "_agg_time_by_slowest_seconds", time, EXACT, Kind.TOTAL, module);
      Double perf = rate(features.get(name + "_bytes").value(), time);
      put(name + "_agg_perf_by_slowest_mib_per_second", perf, EXACT, Kind.SHARE, module);
    }
    Double posix = features.get("posix_agg_time_by_slowest_seconds").value();
    Double stdio = features.get("stdio_agg_time_by_slowest_seconds").value();
    Double ioTime = posix == null || stdio == null ? null : Double.valueOf(posix + stdio);
    put("io_time_seconds", ioTime, EXACT, Kind.TOTAL, POSIX, STDIO);
    put(
        "mib_per_second",
        rate(features.get("bytes_moved").value(), ioTime),
        EXACT,
        Kind.SHARE,
        POSIX,
        STDIO);
    Double share = ioTime == null ? null : Double.valueOf(ioTime / header.getRunTimeSeconds());
    put("io_share", share, EXACT, Kind.SHARE, POSIX, STDIO);
    putSeconds("first_io_seconds", accumulator.firstSeconds());
    putSeconds("last_io_seconds", accumulator.lastSeconds());
  }

  /** As darshan-parser --perf and libdarshan's accumulator compute it. */
  private static Double aggTimeBySlowest(ModuleTotals totals) {
    double unique = 0;
    for (RankTable.Entry rank : totals.ranks.entries().values()) {
      if (!rank.time.isAvailable()) {
        return null;
      }
      unique = Math.max(unique, rank.time.value());
    }
    return totals.sharedSlowestTime.isAvailable()
        ? Double.valueOf(unique + totals.sharedSlowestTime.value())
        : null;
  }

  private static Double rate(Double bytes, Double seconds) {
    if (bytes == null || seconds == null) {
      return null;
    }
    return seconds == 0 ? 0 : bytes / MIB / seconds;
  }

  private void putSeconds(String name, double seconds) {
    if (Double.isInfinite(seconds)) {
      undefined(name, POSIX, STDIO);
    } else {
      put(name, seconds, EXACT, Kind.SHARE, POSIX, STDIO);
    }
  }

  private void metadata() {
    ModuleTotals posix = listed.get(POSIX);
    total("opens", List.of(posix.opens), POSIX);
    total("stats", List.of(posix.stats), POSIX);
    List<Count> operations = new ArrayList<>(List.of(posix.opens, posix.stats));
    accumulator
        .mounts()
        .forEach(
            (mount, totals) -> {
              Site.FileSystem fileSystem = site.fileSystem(mount);
              if (fileSystem != null && fileSystem.forwardsSeeks()) {
                operations.add(totals.module(POSIX).seeks);
              }
            });
    total("metadata_operations", operations, POSIX);
    timeShare("metadata_share", posix, posix.metaTime);
    timeShare("read_time_share", posix, posix.readTime);
    timeShare("write_time_share", posix, posix.writeTime);
    metadataPerProcess(posix);
  }

  private void timeShare(String name, ModuleTotals posix, TimeSum part) {
    boolean available =
        posix.metaTime.isAvailable()
            && posix.readTime.isAvailable()
            && posix.writeTime.isAvailable();
    double whole = posix.metaTime.value() + posix.readTime.value() + posix.writeTime.value();
    if (available && whole == 0) {
      undefined(name, POSIX);
    } else {
      put(name, available ? part.value() / whole : null, EXACT, Kind.SHARE, POSIX);
    }
  }

  private void metadataPerProcess(ModuleTotals posix) {
    double slowest = 0;
    boolean available = posix.metaTime.isAvailable();
    for (RankTable.Entry rank : posix.ranks.entries().values()) {
      slowest = Math.max(slowest, rank.metadataTime.value());
    }
    double seconds = slowest + posix.sharedMetaTime.value() / nprocs;
    boolean possible = seconds <= header.getRunTimeSeconds() && posix.ranks.isComplete();
    put(
        "metadata_seconds_per_process",
        available ? seconds : null,
        possible ? EXACT : BOUNDED,
        Kind.TOTAL,
        POSIX);
  }

  private void effectiveRanks(Module module) {
    String name = module.featurePrefix() + "_effective_ranks";
    Double bytes = features.get(module.featurePrefix() + "_site_bytes").value();
    if (bytes == null) {
      put(name + "_lower", null, UNKNOWABLE, Kind.SHARE, module);
      put(name + "_upper", null, UNKNOWABLE, Kind.SHARE, module);
    } else if (bytes == 0) {
      undefined(name + "_lower", module);
      undefined(name + "_upper", module);
    } else {
      EffectiveRanks ranks =
          EffectiveRanks.of(
              nprocs, listed.get(module), elsewhere.get(module), accumulator.heatmap(module));
      boolean exact = ranks.isExact();
      put(name + "_lower", ranks.lower(), exact ? EXACT : LOWER_BOUND, Kind.SHARE, module);
      put(name + "_upper", ranks.upper(), exact ? EXACT : UPPER_BOUND, Kind.SHARE, module);
    }
  }

  private void requests() {
    ModuleTotals posix = listed.get(POSIX);
    total("reads", List.of(posix.reads), POSIX);
    total("writes", List.of(posix.writes), POSIX);
    SmallRequests small = SmallRequestJoin.of(posix, listed.get(MPIIO));
    bounds("small_reads", small.readsLower, small.readsUpper);
    bounds("small_writes", small.writesLower, small.writesUpper);
    requestShare("small_read_share", "small_reads", posix.reads, posix.bytesRead);
    requestShare("small_write_share", "small_writes", posix.writes, posix.bytesWritten);
    total("stdio_writes", List.of(listed.get(STDIO).writes), STDIO);
    total("stdio_flushes", List.of(listed.get(STDIO).flushes), STDIO);
  }

  private void bounds(String name, Count lower, Count upper) {
    boolean available = lower.isAvailable() && upper.isAvailable();
    boolean exact = lower.value() == upper.value();
    Double from = available ? Double.valueOf((double) lower.value()) : null;
    Double to = available ? Double.valueOf((double) upper.value()) : null;
    put(name, from, exact ? EXACT : LOWER_BOUND, Kind.TOTAL, POSIX, MPIIO);
    put(name + "_upper", to, exact ? EXACT : UPPER_BOUND, Kind.SHARE, POSIX, MPIIO);
  }

  /**
   * Of requests, or of the MiB moved where there are more of those: a few large ones weigh more.
   */
  private void requestShare(String name, String part, Count requests, Count bytes) {
    Feature count = features.get(part);
    double whole = Math.max((double) requests.value(), bytes.value() / MIB);
    boolean available = count.value() != null && requests.isAvailable() && bytes.isAvailable();
    if (available && whole == 0) {
      undefined(name, POSIX, MPIIO);
    } else {
      EvidenceClass own = count.incomplete() ? BOUNDED : count.evidence();
      put(name, available ? count.value() / whole : null, own, Kind.SHARE, POSIX, MPIIO);
    }
  }

  private String filesystem() {
    String most = null;
    double mostBytes = 0;
    for (String mount : accumulator.mounts().keySet()) {
      double bytes = bytesOf(mount).stream().mapToDouble(Count::value).sum();
      if (isListed(mount) && bytes > mostBytes) {
        most = mount;
        mostBytes = bytes;
      }
    }
    return most;
  }

  private String direction() {
    double read = 0;
    double written = 0;
    for (Module module : List.of(POSIX, STDIO)) {
      read += listed.get(module).bytesRead.value();
      written += listed.get(module).bytesWritten.value();
    }
    return read > written ? "read" : "write";
  }

  /** What becomes of a number if records are missing. */
  private enum Kind {
    /** It can only be more. */
    TOTAL,
    /** It is true of the recorded part. */
    SHARE
  }

  private void total(String name, List<Count> counts, Module... modules) {
    Count sum = new Count();
    counts.forEach(sum::merge);
    Double value = sum.isAvailable() ? Double.valueOf((double) sum.value()) : null;
    put(name, value, EXACT, Kind.TOTAL, modules);
  }

  /** A number that is not defined, such as a share of nothing. */
  private void undefined(String name, Module... modules) {
    features.put(
        name, new Feature(name, null, weakened(EXACT, Kind.SHARE, modules), isLacking(modules)));
  }

  private void put(String name, Double value, EvidenceClass own, Kind kind, Module... modules) {
    EvidenceClass evidence = weakened(own, kind, modules);
    if (value == null || value.isNaN() || value.isInfinite() || evidence == UNKNOWABLE) {
      features.put(name, new Feature(name, null, UNKNOWABLE, isLacking(modules)));
    } else {
      features.put(name, new Feature(name, value, evidence, isLacking(modules)));
    }
  }

  private EvidenceClass weakened(EvidenceClass own, Kind kind, Module... modules) {
    EvidenceClass evidence = own;
    for (Module module : modules) {
      switch (states.get(module)) {
        case LACKING -> evidence = evidence.worst(kind == Kind.TOTAL ? LOWER_BOUND : BOUNDED);
        case UNDECODED -> evidence = UNKNOWABLE;
        case ABSENT, COMPLETE -> {}
      }
    }
    return evidence;
  }

  private boolean isLacking(Module... modules) {
    for (Module module : modules) {
      if (states.get(module) == LogState.OfModule.LACKING) {
        return true;
      }
    }
    return false;
  }
}
