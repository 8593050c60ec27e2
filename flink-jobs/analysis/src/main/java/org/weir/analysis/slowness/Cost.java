package org.weir.analysis.slowness;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.weir.analysis.run.RunFeatures;
import org.weir.site.Site;

/**
 * What a run's I/O cost beyond what the file system can do.
 *
 * @param nodes allocated to the job; null without the scheduler
 * @param runNodes min(nodes, ceil(nprocs / cores per node)); null without either
 * @param mibPerSecondPerNode application's MiB/s per allocated node; null without the scheduler
 * @param referenceMibPerSecondPerNode per run node; null if there is no reference
 * @param referenceSource where that comes from
 * @param referenceReason why there is none; empty if there is one
 * @param timeLostSeconds I/O time beyond the reference's, between 0 and the run time; null if
 *     unknown
 * @param nodeHoursLost time lost * run nodes; null if unknown
 * @param slow the time lost reaches both thresholds; null if unknown
 */
public record Cost(
    @Nullable Integer nodes,
    @Nullable Integer runNodes,
    @Nullable Double mibPerSecondPerNode,
    @Nullable Double referenceMibPerSecondPerNode,
    Source referenceSource,
    String referenceReason,
    @Nullable Double timeLostSeconds,
    @Nullable Double nodeHoursLost,
    @Nullable Boolean slow) {

  private static final double MIB = 1 << 20;

  /** Where a reference rate comes from: the column reference_source. */
  public enum Source {
    HISTORY,
    SITE_PEAK,
    NONE;

    /** As it stands in the column. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private record Rate(@Nullable Double perNode, Source source, String reason) {
    static Rate none(String reason) {
      return new Rate(null, Source.NONE, reason);
    }
  }

  /**
   * The cost of a run.
   *
   * @param nodes allocated to its job; null while the scheduler has not stated it
   * @param partition of its job; null likewise
   */
  public static Cost of(
      RunFeatures run,
      @Nullable Integer nodes,
      @Nullable String partition,
      Site site,
      References references) {
    Integer runNodes = runNodes(nodes, run.nprocs(), site.coresPerNode(partition));
    Rate rate = rate(run, nodes, runNodes, site, references);
    Double lost = timeLost(run, rate.perNode, runNodes);
    Double speed = run.value("mib_per_second");
    return new Cost(
        nodes,
        runNodes,
        speed == null || nodes == null || nodes == 0 ? null : Double.valueOf(speed / nodes),
        rate.perNode,
        rate.source,
        rate.reason,
        lost,
        lost == null || runNodes == null ? null : Double.valueOf(lost * runNodes / 3600),
        Slowness.of(run, lost, site));
  }

  /** min(job's nodes, ceil(nprocs / cores per node)); null where nodes or cores are unknown. */
  public static @Nullable Integer runNodes(
      @Nullable Integer nodes, long nprocs, @Nullable Integer coresPerNode) {
    if (nodes == null || coresPerNode == null || nodes < 1 || coresPerNode < 1) {
      return null;
    }
    long needed = (Math.max(1, nprocs) + coresPerNode - 1) / coresPerNode;
    return (int) Math.min(nodes, needed);
  }

  private static Rate rate(
      RunFeatures run,
      @Nullable Integer nodes,
      @Nullable Integer runNodes,
      Site site,
      References references) {
    if (run.filesystem() == null) {
      Double bytes = run.value("application_bytes");
      boolean elsewhere = run.traits().contains("D") || run.traits().contains("posix_unrecorded");
      return Rate.none(
          elsewhere && bytes != null && bytes > 0
              ? "the log does not say which of the file systems the data went to"
              : "the run moved nothing on a file system that is judged");
    }
    if (runNodes == null) {
      return Rate.none(
          nodes == null
              ? "the number of nodes is not known"
              : "the number of cores of a node is not known");
    }
    Double history = references.find(References.RateClass.of(run, runNodes), day(run, site));
    if (history != null) {
      return new Rate(history, Source.HISTORY, "");
    }
    Site.FileSystem fileSystem = site.fileSystem(run.filesystem());
    Double peak = fileSystem == null ? null : fileSystem.peakFor(runNodes);
    return peak == null
        ? Rate.none("no comparable runs and no stated peak for " + runNodes + " nodes")
        : new Rate(peak / runNodes, Source.SITE_PEAK, "");
  }

  private static java.time.LocalDate day(RunFeatures run, Site site) {
    return Instant.EPOCH.plus(run.endTime(), ChronoUnit.MICROS).atZone(site.zone()).toLocalDate();
  }

  private static @Nullable Double timeLost(
      RunFeatures run, @Nullable Double rate, @Nullable Integer runNodes) {
    Double ioTime = run.value("io_time_seconds");
    Double bytes = run.value("application_bytes");
    if (ioTime == null || bytes == null || rate == null || runNodes == null) {
      return null;
    }
    if (!(run.runTimeSeconds() >= 0) || run.hasOverlappingTimes() || !(rate > 0)) {
      return null;
    }
    double lost = ioTime - bytes / MIB / (rate * runNodes);
    return Math.max(0, Math.min(lost, run.runTimeSeconds()));
  }

  /**
   * Whether a run that is slow would have been so at the usual rate of the application's earlier
   * runs.
   *
   * @param usualMibPerSecond median of theirs
   */
  public boolean wasSlow(double usualMibPerSecond, RunFeatures run, Site site) {
    double lost = requireNonNull(timeLostSeconds, "a slow run has lost time");
    double needed = run.feature("io_time_seconds").requiredValue() - lost;
    double usual = run.feature("application_bytes").requiredValue() / MIB / usualMibPerSecond;
    return Slowness.reachesThresholds(usual - needed, run, site);
  }
}
