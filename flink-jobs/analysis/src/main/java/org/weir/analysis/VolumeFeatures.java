package org.weir.analysis;

import static org.weir.analysis.EvidenceClass.BOUNDED;
import static org.weir.analysis.EvidenceClass.EXACT;
import static org.weir.analysis.EvidenceClass.LOWER_BOUND;
import static org.weir.analysis.Module.POSIX;
import static org.weir.analysis.Module.STDIO;

import java.util.ArrayList;
import java.util.List;
import org.weir.analysis.FeatureWriter.Kind;

/** How much was moved, where to, and in how many files. */
final class VolumeFeatures {
  private final RunTotals run;
  private final FeatureWriter out;

  private VolumeFeatures(RunTotals run, FeatureWriter out) {
    this.run = run;
    this.out = out;
  }

  static void write(RunTotals run, FeatureWriter out) {
    VolumeFeatures features = new VolumeFeatures(run, out);
    features.run();
    features.volume();
    features.files();
  }

  private void run() {
    out.put("nprocs", (double) run.header.getNprocs(), EXACT, Kind.TOTAL);
    out.put("run_time_seconds", run.runTimeSeconds, EXACT, Kind.TOTAL);
    DistinctIds files = run.accumulator.files();
    EvidenceClass evidence = files.isExact() ? EXACT : BOUNDED;
    out.put("files", files.value(), evidence, Kind.TOTAL, POSIX, STDIO, Module.DFS);
  }

  private void volume() {
    traffic("bytes_read", "BYTES_READ");
    traffic("bytes_written", "BYTES_WRITTEN");
    traffic("bytes_moved", "BYTES_READ", "BYTES_WRITTEN");
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
    out.total("site_bytes", listed, POSIX, STDIO);
    out.total("slow_filesystem_bytes", slow, POSIX, STDIO);
    out.total("other_mount_bytes", bytesOf(RunAccumulator.OTHER_MOUNTS), POSIX, STDIO);
    MountTotals streams = run.accumulator.mounts().get(RunAccumulator.STREAMS);
    List<Count> ofStreams = streams == null ? List.of() : bytes(streams.module(STDIO));
    out.total("standard_stream_bytes", ofStreams, STDIO);
    for (Module module : Module.DATA) {
      String name = module.featurePrefix();
      out.total(name + "_bytes", bytes(run.all(module)), module);
      out.total(name + "_site_bytes", bytes(run.listed(module)), module);
      out.total(name + "_site_bytes_read", run.listed(module).sum("BYTES_READ"), module);
      out.total(name + "_site_bytes_written", run.listed(module).sum("BYTES_WRITTEN"), module);
    }
    for (Module module : Module.OBJECTS) {
      out.total(module.featurePrefix() + "_bytes", bytes(run.all(module)), module);
    }
  }

  private void traffic(String name, String... counters) {
    Count sum = new Count();
    run.traffic.counts(counters).forEach(sum::merge);
    Double bytes = FeatureWriter.valueOf(sum);
    out.put(name, bytes, run.traffic.evidence(), Kind.TOTAL, run.traffic.modules());
  }

  private List<Count> bytesOf(String mount) {
    MountTotals totals = run.accumulator.mounts().get(mount);
    return totals == null ? List.of() : bytes(totals);
  }

  /** Of POSIX and STDIO. */
  static List<Count> bytes(MountTotals totals) {
    List<Count> counts = new ArrayList<>(bytes(totals.module(POSIX)));
    counts.addAll(bytes(totals.module(STDIO)));
    return counts;
  }

  private static List<Count> bytes(ModuleTotals totals) {
    return List.of(totals.sum("BYTES_READ"), totals.sum("BYTES_WRITTEN"));
  }

  private void files() {
    ListedFiles files = run.files;
    boolean all = files.isComplete();
    Module[] modules = {Module.POSIX, Module.MPIIO, Module.STDIO};
    out.estimated("data_files", files.count(f -> f.bytes() > 0), all, Kind.TOTAL, POSIX, STDIO);
    out.estimated(
        "read_only_files",
        files.count(f -> f.bytesRead() > 0 && f.bytesWritten() == 0),
        all,
        Kind.SHARE,
        POSIX,
        STDIO);
    out.estimated(
        "write_only_files",
        files.count(f -> f.bytesWritten() > 0 && f.bytesRead() == 0),
        all,
        Kind.SHARE,
        POSIX,
        STDIO);
    double mean = files.mean(f -> f.bytes() > 0, ListedFile::extent);
    if (Double.isNaN(mean)) {
      out.undefined("mean_data_file_bytes", POSIX, STDIO);
    } else {
      out.estimated("mean_data_file_bytes", mean, all, Kind.SHARE, POSIX, STDIO);
    }
    out.ofFiles("largest_file_bytes", files.max(f -> true, ListedFile::extent), all, POSIX, STDIO);
    out.ofFiles(
        "largest_shared_file_bytes",
        files.max(f -> f.sharing() == Sharing.SHARED, ListedFile::extent),
        all,
        modules);
    for (Sharing sharing : Sharing.values()) {
      String name = sharing.text();
      // A record that is missing can only make a file shared by more ranks.
      Kind kind = sharing == Sharing.SHARED ? Kind.TOTAL : Kind.SHARE;
      double count = files.count(f -> f.sharing() == sharing && f.bytes() > 0);
      out.estimated(name + "_files", count, all, kind, modules);
      double bytes = files.sum(f -> f.sharing() == sharing, ListedFile::bytes);
      out.put(name + "_file_bytes", bytes, all ? EXACT : LOWER_BOUND, kind, !all, modules);
    }
    for (Module module : List.of(POSIX, STDIO)) {
      String name = module.featurePrefix();
      double read = files.sum(f -> f.bytesWritten() == 0, f -> f.bytesOf(module));
      double written = files.sum(f -> f.bytesWritten() > 0, f -> f.bytesOf(module));
      EvidenceClass some = all ? EXACT : LOWER_BOUND;
      // A file of one module may have been written through the other.
      out.put(name + "_read_only_file_bytes", read, some, Kind.SHARE, !all, POSIX, STDIO);
      out.ofFiles(name + "_written_file_bytes", written, all, POSIX, STDIO);
    }
    out.ofFiles("reread_bytes", files.sum(f -> true, ListedFile::rereadBytes), all, POSIX, STDIO);
    for (int times : new int[] {2, 4}) {
      out.ofFiles(
          "reread_bytes_above_" + times + "x",
          files.sum(f -> f.isReadMoreThan(times), ListedFile::rereadBytes),
          all,
          POSIX,
          STDIO);
    }
  }
}
