package org.weir.analysis.features;

import static org.weir.analysis.evidence.EvidenceClass.EXACT;
import static org.weir.analysis.log.Module.POSIX;
import static org.weir.analysis.log.Module.STDIO;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.weir.analysis.accumulate.RunAccumulator;
import org.weir.analysis.evidence.EvidenceClass;
import org.weir.analysis.evidence.FeatureGroup;
import org.weir.analysis.evidence.FeatureSpec;
import org.weir.analysis.evidence.FeatureWriter;
import org.weir.analysis.log.Direction;
import org.weir.analysis.log.LogState;
import org.weir.analysis.run.RunFeatures;
import org.weir.analysis.state.Count;
import org.weir.analysis.totals.RunTotals;
import org.weir.analysis.traffic.OwnTraffic;
import org.weir.site.Site;
import org.weir.wire.LogEnd;
import org.weir.wire.LogHeader;
import org.weir.wire.ModuleHeader;

/** Turns the sums over a log's records into features with their evidence classes. */
public final class FeatureComputer {

  static final FeatureGroup FEATURES = FeatureGroup.ofLog();

  private static final FeatureSpec MAPPED_PROCESSES =
      FEATURES
          .whole()
          .total(
              "mapped_processes",
              "processes of a killed run whose memory-mapped logs are there, and sound; null for a"
                  + " log that Darshan wrote at the end");
  private static final FeatureSpec BUSY_SECONDS =
      FEATURES.total(
          "busy_seconds",
          "seconds in which the run moved bytes on its file system: heatmap bins, else the records'"
              + " intervals",
          POSIX,
          STDIO);

  /** The least share of the bytes on the file system with most: a run hardly waits for less. */
  private static final double NOTICEABLE_SHARE = 0.1;

  private final RunTotals run;
  private final LogState logState;
  private final @Nullable Long mappedProcesses;
  private final FeatureWriter out;

  private FeatureComputer(
      LogHeader header,
      @Nullable LogEnd end,
      boolean batchesMissing,
      RunAccumulator accumulator,
      Site site) {
    this.logState = LogState.of(header, end, batchesMissing);
    this.mappedProcesses = end == null ? null : end.getProcesses();
    this.run =
        new RunTotals(
            header,
            accumulator,
            site,
            LogState.modules(header, end, batchesMissing),
            LogState.hasWholeHeatmaps(end, batchesMissing));
    this.out = new FeatureWriter(run.states);
  }

  /**
   * Computes everything that is known of a run from its log alone.
   *
   * @param end null where it has not arrived: then every total is a lower bound
   * @param batchesMissing fewer batches were added than the end says
   * @param site the one the batches were added with
   */
  public static RunFeatures compute(
      LogHeader header,
      @Nullable LogEnd end,
      boolean batchesMissing,
      RunAccumulator accumulator,
      Site site) {
    return new FeatureComputer(header, end, batchesMissing, accumulator, site).compute();
  }

  private RunFeatures compute() {
    VolumeFeatures.write(run, out);
    FileFeatures.write(run, out);
    TimeFeatures.write(run, out);
    LayerFeatures.write(run, out);
    DistributionFeatures.write(run, out);
    RequestFeatures.write(run, out);
    MpiioFeatures.write(run, out);
    LustreFeatures.write(run, out);
    LibraryFeatures.write(run, out);
    List<OwnTraffic> traffic = traffic();
    String filesystem = traffic.isEmpty() ? null : traffic.get(0).filesystem();
    double busy = traffic.isEmpty() ? 0 : traffic.get(0).busySeconds();
    EvidenceClass busyEvidence = traffic.isEmpty() ? EXACT : traffic.get(0).evidence();
    if (mappedProcesses == null) {
      out.undefined(MAPPED_PROCESSES);
    } else {
      out.put(MAPPED_PROCESSES, (double) mappedProcesses, EXACT);
    }
    out.put(BUSY_SECONDS, busy, busyEvidence);
    return new RunFeatures(
        logState,
        run.header.getModules().stream().map(ModuleHeader::getName).toList(),
        filesystem,
        direction(),
        run.header.getNprocs(),
        run.header.getStartTime(),
        run.runTimeSeconds,
        out.features(),
        Traits.of(run, out, logState),
        traffic,
        RunParts.of(run));
  }

  /** On the listed file systems with a noticeable share of the bytes, those with most first. */
  private List<OwnTraffic> traffic() {
    Map<String, Double> bytes = new TreeMap<>();
    run.listedMounts.forEach(
        (mount, totals) ->
            bytes.put(
                mount, VolumeFeatures.bytes(totals).stream().mapToDouble(Count::value).sum()));
    double noticeable =
        NOTICEABLE_SHARE * bytes.values().stream().mapToDouble(b -> b).max().orElse(0);
    return bytes.entrySet().stream()
        .filter(mount -> mount.getValue() > 0 && mount.getValue() >= noticeable)
        .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
        .map(mount -> OwnTraffic.of(mount.getKey(), run))
        .toList();
  }

  private String direction() {
    double read = run.listed(POSIX).bytes(Direction.READ) + run.listed(STDIO).bytes(Direction.READ);
    double written =
        run.listed(POSIX).bytes(Direction.WRITE) + run.listed(STDIO).bytes(Direction.WRITE);
    return read > written ? "read" : "write";
  }
}
