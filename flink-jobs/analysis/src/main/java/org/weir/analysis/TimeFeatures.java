package org.weir.analysis;

import static org.weir.analysis.EvidenceClass.BOUNDED;
import static org.weir.analysis.EvidenceClass.EXACT;
import static org.weir.analysis.Module.POSIX;
import static org.weir.analysis.Module.STDIO;

import java.util.ArrayList;
import java.util.List;
import org.weir.analysis.FeatureWriter.Kind;

/** How long it took: by the slowest rank, by kind of operation, and metadata. */
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
      Double time = aggTimeBySlowest(run.all(module));
      out.put(name + "_agg_time_by_slowest_seconds", time, EXACT, Kind.TOTAL, module);
      Double perf = rate(out.value(name + "_bytes"), time);
      out.put(name + "_agg_perf_by_slowest_mib_per_second", perf, EXACT, Kind.SHARE, module);
      Double listed = aggTimeBySlowest(run.listed(module));
      out.put(name + "_site_agg_time_by_slowest_seconds", listed, EXACT, Kind.TOTAL, module);
    }
    Double posix = out.value("posix_agg_time_by_slowest_seconds");
    Double stdio = out.value("stdio_agg_time_by_slowest_seconds");
    Double ioTime = posix == null || stdio == null ? null : Double.valueOf(posix + stdio);
    out.put("io_time_seconds", ioTime, EXACT, Kind.TOTAL, POSIX, STDIO);
    Double speed = rate(out.value("bytes_moved"), ioTime);
    out.put("mib_per_second", speed, EXACT, Kind.SHARE, POSIX, STDIO);
    Double share = ioTime == null ? null : Double.valueOf(ioTime / run.header.getRunTimeSeconds());
    out.put("io_share", share, EXACT, Kind.SHARE, POSIX, STDIO);
    share("stdio_time_share", out.value("stdio_site_agg_time_by_slowest_seconds"), ioTime);
    putSeconds("first_io_seconds", run.accumulator.firstSeconds());
    putSeconds("last_io_seconds", run.accumulator.lastSeconds());
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

  private void share(String name, Double part, Double whole) {
    if (whole != null && whole == 0) {
      out.undefined(name, POSIX, STDIO);
    } else {
      Double share = part == null || whole == null ? null : Double.valueOf(part / whole);
      out.put(name, share, EXACT, Kind.SHARE, POSIX, STDIO);
    }
  }

  private void putSeconds(String name, double seconds) {
    if (Double.isInfinite(seconds)) {
      out.undefined(name, POSIX, STDIO);
    } else {
      out.put(name, seconds, EXACT, Kind.SHARE, POSIX, STDIO);
    }
  }

  /** The slowest rank's whole time lies between what is surely one rank's and the sum of maxima. */
  private void slowestRanks() {
    for (Module module : Module.DATA) {
      String name = module.featurePrefix();
      ModuleTotals totals = run.listed(module);
      Double upper = aggTimeBySlowest(totals);
      Double lower = upper == null ? null : Double.valueOf(0);
      for (RankTable.Entry rank : totals.ranks.entries().values()) {
        double own = rank.time.value() + rank.slowestTime.value();
        lower = lower == null ? null : Double.valueOf(Math.max(lower, own));
      }
      boolean exact = upper != null && Math.abs(upper - lower) <= 1e-9 * upper;
      out.range(name + "_slowest_rank_seconds", lower, upper, exact, module);
      boolean available =
          totals.metaTime.isAvailable()
              && totals.readTime.isAvailable()
              && totals.writeTime.isAvailable();
      double sum = totals.metaTime.value() + totals.readTime.value() + totals.writeTime.value();
      out.put(
          name + "_mean_rank_seconds",
          available ? sum / run.nprocs : null,
          EXACT,
          Kind.TOTAL,
          module);
    }
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
  }

  /** Sum over the ranks, and share of the three. */
  private void seconds(String name, ModuleTotals posix, TimeSum part) {
    String share = name.equals("metadata") ? "metadata_share" : name + "_time_share";
    Double seconds = part.isAvailable() ? Double.valueOf(part.value()) : null;
    out.put(name + "_seconds", seconds, EXACT, Kind.TOTAL, POSIX);
    boolean available =
        posix.metaTime.isAvailable()
            && posix.readTime.isAvailable()
            && posix.writeTime.isAvailable();
    double whole = posix.metaTime.value() + posix.readTime.value() + posix.writeTime.value();
    if (available && whole == 0) {
      out.undefined(share, POSIX);
    } else {
      out.put(share, available ? part.value() / whole : null, EXACT, Kind.SHARE, POSIX);
    }
  }

  private void metadataPerProcess(ModuleTotals posix) {
    double slowest = 0;
    for (RankTable.Entry rank : posix.ranks.entries().values()) {
      slowest = Math.max(slowest, rank.metadataTime.value());
    }
    double seconds = slowest + posix.sharedMetaTime.value() / run.nprocs;
    boolean possible = seconds <= run.header.getRunTimeSeconds() && posix.ranks.isComplete();
    out.put(
        "metadata_seconds_per_process",
        posix.metaTime.isAvailable() ? seconds : null,
        possible ? EXACT : BOUNDED,
        Kind.TOTAL,
        POSIX);
  }
}
