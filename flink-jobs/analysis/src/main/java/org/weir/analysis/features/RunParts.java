package org.weir.analysis.features;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.weir.analysis.accumulate.MountTotals;
import org.weir.analysis.evidence.Feature;
import org.weir.analysis.evidence.FeatureWriter;
import org.weir.analysis.log.Module;
import org.weir.analysis.run.RunDetail;
import org.weir.analysis.run.RunDetail.FilesystemPart;
import org.weir.analysis.run.RunFile;
import org.weir.analysis.state.Count;
import org.weir.analysis.totals.ListedFile;
import org.weir.analysis.totals.RunTotals;

/** Computes a run's features by part: by file system, by storage target and by file. */
final class RunParts {

  private RunParts() {}

  static RunDetail of(RunTotals run) {
    List<FilesystemPart> filesystems = new ArrayList<>();
    run.listedMounts.forEach((mount, totals) -> filesystems.add(part(mount, totals, run)));
    List<RunFile> files =
        run.files.stream()
            .sorted(
                Comparator.comparingDouble(ListedFile::bytes)
                    .reversed()
                    .thenComparing(ListedFile::recordId, Long::compareUnsigned))
            .limit(RunDetail.FILES)
            .map(RunFile::of)
            .toList();
    return new RunDetail(filesystems, LustreFeatures.rates(run.files), files);
  }

  private static FilesystemPart part(String mount, MountTotals totals, RunTotals run) {
    return new FilesystemPart(
        mount,
        sum(totals, "BYTES_READ"),
        sum(totals, "BYTES_WRITTEN"),
        run.files.count(f -> f.filesystem().equals(mount)),
        sum(totals, "OPENS"),
        features(mount, run));
  }

  private static Map<String, Feature> features(String mount, RunTotals run) {
    FeatureWriter out = new FeatureWriter(run.states);
    RequestFeatures.writeOf(run, mount, out);
    LustreFeatures.writeStripeSizes(run, mount, out);
    out.features().keySet().retainAll(LogFeatures.OF_FILESYSTEM);
    return out.features();
  }

  private static @Nullable Double sum(MountTotals totals, String counter) {
    Count sum = new Count();
    sum.merge(totals.module(Module.POSIX).sum(counter));
    sum.merge(totals.module(Module.STDIO).sum(counter));
    return FeatureWriter.valueOf(sum);
  }
}
