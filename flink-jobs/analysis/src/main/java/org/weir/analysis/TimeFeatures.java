package org.weir.analysis;

import static org.weir.analysis.EvidenceClass.BOUNDED;
import static org.weir.analysis.EvidenceClass.EXACT;
import static org.weir.analysis.EvidenceClass.LOWER_BOUND;
import static org.weir.analysis.EvidenceClass.UPPER_BOUND;
import static org.weir.analysis.Module.POSIX;
import static org.weir.analysis.Module.STDIO;

import java.util.ArrayList;
import java.util.List;
import org.weir.analysis.FeatureWriter.Kind;

/** Computes how long each module took: by the slowest rank, by kind of operation, and metadata. */
final class TimeFeatures {
  private static final double MIB = 1 << 20;

  private final RunTotals run;
  private final FeatureWriter out;

  private TimeFeatures(RunTotals run, FeatureWriter out) {
    this.run = run;
    this.out = out;
  }

  static void write(RunTotals run, FeatureWriter out) {
    TimeFeatures features = new TimeFeatures(run, out);
    features.times();
    features.slowestRanks();
    features.metadata();
  }

  private void times() {
    for (Module module : Module.DATA) {
      String name = module.featurePrefix();
      ModuleTotals all = run.all(module);
      Double time = all.aggTimeBySlowest();
      EvidenceClass timed = all.isTimed() ? EXACT : LOWER_BOUND;
      out.put(name + "_agg_time_by_slowest_seconds", time, timed, Kind.TOTAL, module);
      Double perf = rate(out.value(name + "_bytes"), time);
      EvidenceClass inverse = all.isTimed() ? EXACT : UPPER_BOUND;
      out.put(name + "_agg_perf_by_slowest_mib_per_second", perf, inverse, Kind.SHARE, module);
      ModuleTotals listed = run.listed(module);
      timed = listed.isTimed() ? EXACT : LOWER_BOUND;
      Double there = listed.aggTimeBySlowest();
      out.put(name + "_site_agg_time_by_slowest_seconds", there, timed, Kind.TOTAL, module);
    }
    for (Module module : Module.OBJECTS) {
      ModuleTotals all = run.all(module);
      EvidenceClass timed = all.isTimed() ? EXACT : LOWER_BOUND;
      String name = module.featurePrefix() + "_agg_time_by_slowest_seconds";
      out.put(name, all.aggTimeBySlowest(), timed, Kind.TOTAL, module);
    }
    putSeconds("first_io_seconds", run.accumulator.firstSeconds());
    putSeconds("last_io_seconds", run.accumulator.lastSeconds());
  }

  private static Double rate(Double bytes, Double seconds) {
    if (bytes == null || seconds == null) {
      return null;
    }
    return seconds == 0 ? 0 : bytes / MIB / seconds;
  }

  private void putSeconds(String name, double seconds) {
    if (Double.isInfinite(seconds)) {
      out.undefined(name, POSIX, STDIO, Module.DFS, Module.DAOS);
    } else {
      out.put(name, seconds, EXACT, Kind.SHARE, POSIX, STDIO, Module.DFS, Module.DAOS);
    }
  }

  /** The slowest rank's whole time lies between what is surely one rank's and the sum of maxima. */
  private void slowestRanks() {
    for (Module module : Module.DATA) {
      String name = module.featurePrefix();
      ModuleTotals totals = run.listed(module);
      Double upper = totals.isTimed() ? totals.aggTimeBySlowest() : null;
      Double lower = upper == null ? null : Double.valueOf(0);
      for (RankTable.Entry rank : totals.ranks.entries().values()) {
        double own = rank.time.value() + rank.slowestTime.value();
        lower = lower == null ? null : Double.valueOf(Math.max(lower, own));
      }
      boolean exact = upper != null && Math.abs(upper - lower) <= 1e-9 * upper;
      out.range(name + "_slowest_rank_seconds", lower, upper, exact, module);
      boolean available = areTimesKnown(totals);
      double sum = totals.metaTime.value() + totals.readTime.value() + totals.writeTime.value();
      out.put(
          name + "_mean_rank_seconds",
          available ? sum / run.nprocs : null,
          EXACT,
          Kind.TOTAL,
          module);
    }
    slowRanks(run.listed(POSIX), out.value("posix_mean_rank_seconds"));
  }

  /** Counts only the slowest rank of a shared file: no other rank's time is known. */
  private void slowRanks(ModuleTotals posix, Double mean) {
    double slow = 0;
    for (RankTable.Entry rank : posix.ranks.entries().values()) {
      slow += mean != null && rank.time.value() + rank.slowestTime.value() > 3 * mean ? 1 : 0;
    }
    boolean all = posix.isTimed() && posix.sharedSlowestTime.value() == 0;
    Double known = mean == null ? null : Double.valueOf(slow);
    out.put("posix_ranks_above_3x_mean", known, all ? EXACT : LOWER_BOUND, Kind.SHARE, POSIX);
  }

  private static boolean areTimesKnown(ModuleTotals totals) {
    return totals.metaTime.isAvailable()
        && totals.readTime.isAvailable()
        && totals.writeTime.isAvailable();
  }

  private void metadata() {
    ModuleTotals posix = run.listed(POSIX);
    out.total("opens", posix.sum("OPENS"), POSIX);
    out.total("stats", posix.sum("STATS"), POSIX);
    out.total("seeks", posix.sum("SEEKS"), POSIX);
    List<Count> operations = new ArrayList<>(List.of(posix.sum("OPENS"), posix.sum("STATS")));
    run.listedMounts.forEach(
        (mount, totals) -> {
          Site.FileSystem fileSystem = run.site.fileSystem(mount);
          if (fileSystem != null && fileSystem.forwardsSeeks()) {
            operations.add(totals.module(POSIX).sum("SEEKS"));
          }
        });
    out.total("metadata_operations", operations, POSIX);
    seconds("metadata", posix, posix.metaTime);
    seconds("read", posix, posix.readTime);
    seconds("write", posix, posix.writeTime);
    metadataPerProcess(posix);
    streams(run.listed(STDIO));
  }

  private void streams(ModuleTotals stdio) {
    boolean known = areTimesKnown(stdio);
    double data = stdio.readTime.value() + stdio.writeTime.value();
    double metadata = stdio.metaTime.value();
    out.put("stdio_data_seconds", known ? data : null, EXACT, Kind.TOTAL, STDIO);
    out.put("stdio_metadata_seconds", known ? metadata : null, EXACT, Kind.TOTAL, STDIO);
    if (known && data + metadata == 0) {
      out.undefined("stdio_metadata_share", STDIO);
    } else {
      Double share = known ? Double.valueOf(metadata / (data + metadata)) : null;
      out.put("stdio_metadata_share", share, EXACT, Kind.SHARE, STDIO);
    }
  }

  /** Sum over the ranks, and share of the three: of the records whose times are known. */
  private void seconds(String name, ModuleTotals posix, TimeSum part) {
    String share = name.equals("metadata") ? "metadata_share" : name + "_time_share";
    EvidenceClass timed = part.isAvailable() ? EXACT : LOWER_BOUND;
    out.put(name + "_seconds", part.known(), timed, Kind.TOTAL, !part.isAvailable(), POSIX);
    boolean available = areTimesKnown(posix);
    double whole = posix.metaTime.value() + posix.readTime.value() + posix.writeTime.value();
    if (available && whole == 0) {
      out.undefined(share, POSIX);
    } else {
      Double ofWhole = whole == 0 ? null : Double.valueOf(part.value() / whole);
      out.put(share, ofWhole, available ? EXACT : BOUNDED, Kind.SHARE, !available, POSIX);
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
        "metadata_seconds_per_process",
        posix.metaTime.known() == null ? null : seconds,
        possible ? timed : BOUNDED,
        Kind.TOTAL,
        !posix.metaTime.isAvailable(),
        POSIX);
  }
}
