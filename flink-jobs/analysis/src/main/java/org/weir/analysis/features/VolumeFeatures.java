package org.weir.analysis.features;

import static java.util.Objects.requireNonNull;
import static org.weir.analysis.evidence.EvidenceClass.BOUNDED;
import static org.weir.analysis.evidence.EvidenceClass.EXACT;
import static org.weir.analysis.evidence.FeatureGroup.each;
import static org.weir.analysis.log.Module.DAOS;
import static org.weir.analysis.log.Module.DFS;
import static org.weir.analysis.log.Module.POSIX;
import static org.weir.analysis.log.Module.STDIO;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.weir.analysis.accumulate.ModuleTotals;
import org.weir.analysis.accumulate.MountTotals;
import org.weir.analysis.accumulate.RunAccumulator;
import org.weir.analysis.evidence.FeatureGroup;
import org.weir.analysis.evidence.FeatureSpec;
import org.weir.analysis.evidence.FeatureWriter;
import org.weir.analysis.log.Module;
import org.weir.analysis.state.Count;
import org.weir.analysis.state.DistinctIds;
import org.weir.analysis.totals.RunTotals;
import org.weir.site.Site;

/** Computes how much was moved, and where to. */
final class VolumeFeatures {

  static final FeatureGroup FEATURES = FeatureGroup.ofLog();

  private static final FeatureSpec NPROCS =
      FEATURES.column("Int64").total("nprocs", "processes of the run, from the log's job record");
  private static final FeatureSpec RUN_TIME_SECONDS =
      FEATURES.total(
          "run_time_seconds",
          "run time, from the log's job record; null where the run did not come to its end");
  private static final FeatureSpec FILES =
      FEATURES
          .whole()
          .total(
              "files",
              "distinct POSIX and STDIO records, standard streams apart; estimated above "
                  + DistinctIds.KEPT,
              POSIX,
              STDIO,
              DFS);

  private static final String ALL_LAYERS =
      ": POSIX + STDIO + DFS, all mounts and standard streams; DAOS where there is no DFS, and what"
          + " is above POSIX (MPI-IO, H5D, PNETCDF_FILE) where Darshan did not record that";
  private static final FeatureSpec BYTES_READ =
      FEATURES.whole().total("bytes_read", "bytes read" + ALL_LAYERS, POSIX, STDIO, DFS, DAOS);
  private static final FeatureSpec BYTES_WRITTEN =
      FEATURES
          .whole()
          .total("bytes_written", "bytes written" + ALL_LAYERS, POSIX, STDIO, DFS, DAOS);
  static final FeatureSpec BYTES_MOVED =
      FEATURES.total("bytes_moved", "bytes_read + bytes_written", POSIX, STDIO, DFS, DAOS);
  private static final FeatureSpec SITE_BYTES =
      FEATURES
          .whole()
          .total(
              "site_bytes",
              "POSIX + STDIO, both directions, on file systems that the site lists; only they can"
                  + " raise a finding",
              POSIX,
              STDIO);
  private static final FeatureSpec SLOW_FILESYSTEM_BYTES =
      FEATURES.total(
          "slow_filesystem_bytes",
          "POSIX + STDIO, both directions, on file systems that the site marks slow",
          POSIX,
          STDIO);
  private static final FeatureSpec OTHER_MOUNT_BYTES =
      FEATURES.total(
          "other_mount_bytes",
          "POSIX + STDIO, both directions, on mounts the site does not list",
          POSIX,
          STDIO);
  static final FeatureSpec STANDARD_STREAM_BYTES =
      FEATURES.total(
          "standard_stream_bytes", "STDIO bytes on <STDIN>, <STDOUT> and <STDERR>", STDIO);

  private static final Map<Module, FeatureSpec> BYTES =
      each(Module.DATA, VolumeFeatures::allMounts);
  private static final Map<Module, FeatureSpec> LISTED_BYTES =
      each(Module.DATA, module -> listed(module, "", "BYTES_READ", "BYTES_WRITTEN"));
  private static final Map<Module, FeatureSpec> LISTED_BYTES_READ =
      each(Module.DATA, module -> listed(module, "_read", "BYTES_READ"));
  private static final Map<Module, FeatureSpec> LISTED_BYTES_WRITTEN =
      each(Module.DATA, module -> listed(module, "_written", "BYTES_WRITTEN"));
  static final Map<Module, FeatureSpec> OBJECT_BYTES =
      each(
          Module.OBJECTS,
          module ->
              FEATURES.sum(
                  module.featurePrefix() + "_bytes", "", module, "BYTES_READ", "BYTES_WRITTEN"));

  private final RunTotals run;
  private final FeatureWriter out;

  private VolumeFeatures(RunTotals run, FeatureWriter out) {
    this.run = run;
    this.out = out;
  }

  /** Returns the feature of all bytes of a module of {@link Module#DATA}. */
  static FeatureSpec bytesOf(Module module) {
    return requireNonNull(BYTES.get(module), module.logName());
  }

  private static FeatureSpec allMounts(Module module) {
    String name = module.featurePrefix() + "_bytes";
    return FEATURES.whole().sum(name, ", all mounts", module, "BYTES_READ", "BYTES_WRITTEN");
  }

  private static FeatureSpec listed(Module module, String direction, String... counters) {
    return FEATURES.sum(module.featurePrefix() + "_site_bytes" + direction, module, counters);
  }

  static void write(RunTotals run, FeatureWriter out) {
    VolumeFeatures features = new VolumeFeatures(run, out);
    features.run();
    features.traffic();
    features.byMount();
    features.byModule();
  }

  private void run() {
    out.put(NPROCS, (double) run.header.getNprocs(), EXACT);
    out.put(RUN_TIME_SECONDS, run.runTimeSeconds, EXACT);
    DistinctIds files = run.accumulator.files();
    out.put(FILES, files.value(), files.isExact() ? EXACT : BOUNDED);
  }

  private void traffic() {
    traffic(BYTES_READ, "BYTES_READ");
    traffic(BYTES_WRITTEN, "BYTES_WRITTEN");
    traffic(BYTES_MOVED, "BYTES_READ", "BYTES_WRITTEN");
  }

  private void traffic(FeatureSpec spec, String... counters) {
    Count sum = new Count();
    run.traffic.counts(counters).forEach(sum::merge);
    Double bytes = FeatureWriter.valueOf(sum);
    out.put(spec, bytes, run.traffic.evidence(), false, run.traffic.modules());
  }

  private void byMount() {
    List<Count> listed = new ArrayList<>();
    List<Count> slow = new ArrayList<>();
    run.listedMounts.forEach(
        (mount, totals) -> {
          listed.addAll(bytes(totals));
          Site.FileSystem fileSystem = run.site.fileSystem(mount);
          if (fileSystem != null && fileSystem.slow()) {
            slow.addAll(bytes(totals));
          }
        });
    out.total(SITE_BYTES, listed);
    out.total(SLOW_FILESYSTEM_BYTES, slow);
    MountTotals others = run.accumulator.mounts().get(RunAccumulator.OTHER_MOUNTS);
    out.total(OTHER_MOUNT_BYTES, others == null ? List.of() : bytes(others));
    MountTotals streams = run.accumulator.mounts().get(RunAccumulator.STREAMS);
    List<Count> ofStreams = streams == null ? List.of() : bytes(streams.module(STDIO));
    out.total(STANDARD_STREAM_BYTES, ofStreams);
  }

  private void byModule() {
    BYTES.forEach((module, spec) -> out.sum(spec, run.all(module)::sum));
    LISTED_BYTES.forEach((module, spec) -> out.sum(spec, run.listed(module)::sum));
    LISTED_BYTES_READ.forEach((module, spec) -> out.sum(spec, run.listed(module)::sum));
    LISTED_BYTES_WRITTEN.forEach((module, spec) -> out.sum(spec, run.listed(module)::sum));
    OBJECT_BYTES.forEach((module, spec) -> out.sum(spec, run.all(module)::sum));
  }

  /** Counts the bytes of POSIX and STDIO. */
  static List<Count> bytes(MountTotals totals) {
    List<Count> counts = new ArrayList<>(bytes(totals.module(POSIX)));
    counts.addAll(bytes(totals.module(STDIO)));
    return counts;
  }

  private static List<Count> bytes(ModuleTotals totals) {
    return List.of(totals.sum("BYTES_READ"), totals.sum("BYTES_WRITTEN"));
  }
}
