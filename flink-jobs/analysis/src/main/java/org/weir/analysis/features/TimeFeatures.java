package org.weir.analysis.features;

import static java.util.Objects.requireNonNull;
import static org.weir.analysis.evidence.EvidenceClass.BOUNDED;
import static org.weir.analysis.evidence.EvidenceClass.EXACT;
import static org.weir.analysis.evidence.EvidenceClass.LOWER_BOUND;
import static org.weir.analysis.evidence.EvidenceClass.UPPER_BOUND;
import static org.weir.analysis.evidence.FeatureGroup.each;
import static org.weir.analysis.log.Module.DAOS;
import static org.weir.analysis.log.Module.DFS;
import static org.weir.analysis.log.Module.POSIX;
import static org.weir.analysis.log.Module.STDIO;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.weir.analysis.accumulate.ModuleTotals;
import org.weir.analysis.accumulate.RankTable;
import org.weir.analysis.evidence.EvidenceClass;
import org.weir.analysis.evidence.FeatureGroup;
import org.weir.analysis.evidence.FeatureSpec;
import org.weir.analysis.evidence.FeatureSpec.Bounds;
import org.weir.analysis.evidence.FeatureWriter;
import org.weir.analysis.log.Module;
import org.weir.analysis.state.Count;
import org.weir.analysis.state.TimeSum;
import org.weir.analysis.totals.RunTotals;
import org.weir.site.Site;

/** Computes how long each module took: by the slowest rank, by kind of operation, and metadata. */
final class TimeFeatures {

  static final FeatureGroup FEATURES = FeatureGroup.ofLog();

  private static final double MIB = 1 << 20;

  private static final String BY_SLOWEST =
      "largest rank's time over its unshared files + sum of F_SLOWEST_RANK_TIME of the shared ones; ";
  private static final Map<Module, FeatureSpec> AGG_TIME_BY_SLOWEST =
      each(
          Module.DATA,
          module ->
              bySlowest(
                  module, "", module.logName() + ", all mounts; equals darshan-parser --perf"));
  private static final Map<Module, FeatureSpec> AGG_PERF_BY_SLOWEST =
      each(
          Module.DATA,
          module ->
              FEATURES.ofPart(
                  module.featurePrefix() + "_agg_perf_by_slowest_mib_per_second",
                  module.logName() + " MiB / agg_time_by_slowest, 0 if that is 0; all mounts",
                  module));
  static final Map<Module, FeatureSpec> LISTED_AGG_TIME_BY_SLOWEST =
      each(Module.DATA, module -> bySlowest(module, "_site", module.logName() + ", listed"));
  private static final Map<Module, FeatureSpec> OBJECTS_AGG_TIME_BY_SLOWEST =
      each(Module.OBJECTS, module -> bySlowest(module, "", module.logName()));
  private static final FeatureSpec FIRST_IO_SECONDS =
      FEATURES.ofPart(
          "first_io_seconds",
          "first open or access after the run's start, POSIX and STDIO",
          POSIX,
          STDIO,
          DFS,
          DAOS);
  private static final FeatureSpec LAST_IO_SECONDS =
      FEATURES.ofPart(
          "last_io_seconds",
          "last close or access after the run's start, POSIX and STDIO",
          POSIX,
          STDIO,
          DFS,
          DAOS);

  private static final Map<Module, Bounds> SLOWEST_RANK_SECONDS =
      each(
          Module.DATA,
          module ->
              FEATURES.range(
                  module.featurePrefix() + "_slowest_rank_seconds",
                  "the slowest rank's META + READ + WRITE, " + module.logName() + ", listed",
                  module));
  private static final Map<Module, FeatureSpec> MEAN_RANK_SECONDS =
      each(
          Module.DATA,
          module ->
              FEATURES.total(
                  module.featurePrefix() + "_mean_rank_seconds",
                  "META + READ + WRITE / nprocs, " + module.logName() + ", listed",
                  module));
  private static final FeatureSpec POSIX_RANKS_ABOVE_3X_MEAN =
      FEATURES.ofPart(
          "posix_ranks_above_3x_mean",
          "ranks whose META + READ + WRITE is above 3 times posix_mean_rank_seconds, listed; of"
              + " shared files only the slowest rank's time is known",
          POSIX);

  private static final FeatureSpec OPENS = FEATURES.whole().sum("opens", POSIX, "OPENS");
  private static final FeatureSpec STATS = FEATURES.whole().sum("stats", POSIX, "STATS");
  private static final FeatureSpec SEEKS = FEATURES.sum("seeks", POSIX, "SEEKS");
  private static final FeatureSpec METADATA_OPERATIONS =
      FEATURES.total(
          "metadata_operations",
          "opens + stats, and POSIX_SEEKS on file systems that the site marks forwards_seeks",
          POSIX);
  private static final String OVER_RANKS = ", summed over ranks, listed";
  private static final FeatureSpec METADATA_SECONDS =
      FEATURES.total("metadata_seconds", "POSIX_F_META_TIME" + OVER_RANKS, POSIX);
  private static final FeatureSpec READ_SECONDS =
      FEATURES.total("read_seconds", "POSIX_F_READ_TIME" + OVER_RANKS, POSIX);
  private static final FeatureSpec WRITE_SECONDS =
      FEATURES.total("write_seconds", "POSIX_F_WRITE_TIME, fsync with it" + OVER_RANKS, POSIX);
  private static final FeatureSpec METADATA_SHARE = share("metadata_share", "POSIX_F_META_TIME");
  private static final FeatureSpec READ_TIME_SHARE = share("read_time_share", "POSIX_F_READ_TIME");
  private static final FeatureSpec WRITE_TIME_SHARE =
      share("write_time_share", "POSIX_F_WRITE_TIME");
  private static final FeatureSpec METADATA_SECONDS_PER_PROCESS =
      FEATURES.total(
          "metadata_seconds_per_process",
          "POSIX_F_META_TIME, listed: the largest rank's sum over its unshared files + the sum over"
              + " shared files / nprocs",
          POSIX);
  private static final FeatureSpec STDIO_DATA_SECONDS =
      FEATURES.total(
          "stdio_data_seconds", "STDIO_F_READ_TIME + STDIO_F_WRITE_TIME" + OVER_RANKS, STDIO);
  private static final FeatureSpec STDIO_METADATA_SECONDS =
      FEATURES.total(
          "stdio_metadata_seconds",
          "STDIO_F_META_TIME" + OVER_RANKS + "; fclose writes what the stream holds",
          STDIO);
  private static final FeatureSpec STDIO_METADATA_SHARE =
      FEATURES.ofPart(
          "stdio_metadata_share", "STDIO_F_META_TIME / (META + READ + WRITE), listed", STDIO);

  private final RunTotals run;
  private final FeatureWriter out;

  private TimeFeatures(RunTotals run, FeatureWriter out) {
    this.run = run;
    this.out = out;
  }

  private static FeatureSpec bySlowest(Module module, String which, String where) {
    String name = module.featurePrefix() + which + "_agg_time_by_slowest_seconds";
    return FEATURES.total(name, BY_SLOWEST + where, module);
  }

  private static FeatureSpec share(String name, String counter) {
    return FEATURES.ofPart(name, counter + " / (META + READ + WRITE), listed", POSIX);
  }

  static void write(RunTotals run, FeatureWriter out) {
    TimeFeatures features = new TimeFeatures(run, out);
    features.bySlowestRank();
    features.period();
    features.ranks();
    features.operations();
    features.metadataPerProcess(run.listed(POSIX));
    features.streams(run.listed(STDIO));
  }

  private void bySlowestRank() {
    AGG_TIME_BY_SLOWEST.forEach((module, spec) -> bySlowestRank(spec, run.all(module)));
    OBJECTS_AGG_TIME_BY_SLOWEST.forEach((module, spec) -> bySlowestRank(spec, run.all(module)));
    LISTED_AGG_TIME_BY_SLOWEST.forEach((module, spec) -> bySlowestRank(spec, run.listed(module)));
    AGG_PERF_BY_SLOWEST.forEach(
        (module, spec) -> {
          ModuleTotals all = run.all(module);
          Double rate = rate(out.value(VolumeFeatures.bytesOf(module)), all.aggTimeBySlowest());
          out.put(spec, rate, all.isTimed() ? EXACT : UPPER_BOUND);
        });
  }

  private void bySlowestRank(FeatureSpec spec, ModuleTotals totals) {
    out.put(spec, totals.aggTimeBySlowest(), totals.isTimed() ? EXACT : LOWER_BOUND);
  }

  private static @Nullable Double rate(@Nullable Double bytes, @Nullable Double seconds) {
    if (bytes == null || seconds == null) {
      return null;
    }
    return seconds == 0 ? 0 : bytes / MIB / seconds;
  }

  private void period() {
    putSeconds(FIRST_IO_SECONDS, run.accumulator.firstSeconds());
    putSeconds(LAST_IO_SECONDS, run.accumulator.lastSeconds());
  }

  private void putSeconds(FeatureSpec spec, double seconds) {
    if (Double.isInfinite(seconds)) {
      out.undefined(spec);
    } else {
      out.put(spec, seconds, EXACT);
    }
  }

  private void ranks() {
    SLOWEST_RANK_SECONDS.forEach((module, specs) -> slowestRank(specs, run.listed(module)));
    MEAN_RANK_SECONDS.forEach(
        (module, spec) -> {
          ModuleTotals totals = run.listed(module);
          boolean available = areTimesKnown(totals);
          out.put(spec, available ? wholeSeconds(totals) / run.nprocs : null, EXACT);
        });
    slowRanks(run.listed(POSIX), out.value(requireNonNull(MEAN_RANK_SECONDS.get(POSIX))));
  }

  /** The slowest rank's whole time lies between what is surely one rank's and the sum of maxima. */
  private void slowestRank(Bounds specs, ModuleTotals totals) {
    Double upper = totals.isTimed() ? totals.aggTimeBySlowest() : null;
    Double lower = upper == null ? null : Double.valueOf(0);
    for (RankTable.Entry rank : totals.ranks.entries().values()) {
      double own = rank.time.value() + rank.slowestTime.value();
      lower = lower == null ? null : Double.valueOf(Math.max(lower, own));
    }
    boolean exact = upper != null && lower != null && Math.abs(upper - lower) <= 1e-9 * upper;
    out.range(specs, lower, upper, exact);
  }

  /** Counts only the slowest rank of a shared file: no other rank's time is known. */
  private void slowRanks(ModuleTotals posix, @Nullable Double mean) {
    double slow = 0;
    for (RankTable.Entry rank : posix.ranks.entries().values()) {
      slow += mean != null && rank.time.value() + rank.slowestTime.value() > 3 * mean ? 1 : 0;
    }
    boolean all = posix.isTimed() && posix.sharedSlowestTime.value() == 0;
    Double known = mean == null ? null : Double.valueOf(slow);
    out.put(POSIX_RANKS_ABOVE_3X_MEAN, known, all ? EXACT : LOWER_BOUND);
  }

  private static boolean areTimesKnown(ModuleTotals totals) {
    return totals.metaTime.isAvailable()
        && totals.readTime.isAvailable()
        && totals.writeTime.isAvailable();
  }

  private static double wholeSeconds(ModuleTotals totals) {
    return totals.metaTime.value() + totals.readTime.value() + totals.writeTime.value();
  }

  private void operations() {
    ModuleTotals posix = run.listed(POSIX);
    out.sum(OPENS, posix::sum);
    out.sum(STATS, posix::sum);
    out.sum(SEEKS, posix::sum);
    List<Count> operations = new ArrayList<>(List.of(posix.sum("OPENS"), posix.sum("STATS")));
    run.listedMounts.forEach(
        (mount, totals) -> {
          Site.FileSystem fileSystem = run.site.fileSystem(mount);
          if (fileSystem != null && fileSystem.forwardsSeeks()) {
            operations.add(totals.module(POSIX).sum("SEEKS"));
          }
        });
    out.total(METADATA_OPERATIONS, operations);
    seconds(METADATA_SECONDS, METADATA_SHARE, posix.metaTime);
    seconds(READ_SECONDS, READ_TIME_SHARE, posix.readTime);
    seconds(WRITE_SECONDS, WRITE_TIME_SHARE, posix.writeTime);
  }

  /** Sum over the ranks, and share of the three: of the records whose times are known. */
  private void seconds(FeatureSpec seconds, FeatureSpec share, TimeSum part) {
    ModuleTotals posix = run.listed(POSIX);
    EvidenceClass timed = part.isAvailable() ? EXACT : LOWER_BOUND;
    out.put(seconds, part.known(), timed, !part.isAvailable());
    boolean available = areTimesKnown(posix);
    double whole = wholeSeconds(posix);
    if (available && whole == 0) {
      out.undefined(share);
    } else {
      Double ofWhole = whole == 0 ? null : Double.valueOf(part.value() / whole);
      out.put(share, ofWhole, available ? EXACT : BOUNDED, !available);
    }
  }

  private void metadataPerProcess(ModuleTotals posix) {
    double slowest = 0;
    for (RankTable.Entry rank : posix.ranks.entries().values()) {
      slowest = Math.max(slowest, rank.metadataTime.value());
    }
    double seconds = slowest + posix.sharedMetaTime.value() / run.nprocs;
    // The run time of a killed run is unknown, so no time is too long for it.
    boolean possible = !(seconds > run.runTimeSeconds) && posix.ranks.isComplete();
    EvidenceClass timed = posix.metaTime.isAvailable() ? EXACT : LOWER_BOUND;
    out.put(
        METADATA_SECONDS_PER_PROCESS,
        posix.metaTime.known() == null ? null : seconds,
        possible ? timed : BOUNDED,
        !posix.metaTime.isAvailable());
  }

  private void streams(ModuleTotals stdio) {
    boolean known = areTimesKnown(stdio);
    double data = stdio.readTime.value() + stdio.writeTime.value();
    double metadata = stdio.metaTime.value();
    out.put(STDIO_DATA_SECONDS, known ? data : null, EXACT);
    out.put(STDIO_METADATA_SECONDS, known ? metadata : null, EXACT);
    if (known && data + metadata == 0) {
      out.undefined(STDIO_METADATA_SHARE);
    } else {
      Double share = known ? Double.valueOf(metadata / (data + metadata)) : null;
      out.put(STDIO_METADATA_SHARE, share, EXACT);
    }
  }
}
