package org.weir.analysis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * A run's features by part: too many for columns, needed for advice and reports.
 *
 * @param filesystems of the site, by id
 * @param targets Lustre storage targets, as far as they were timed
 * @param files the {@value #FILES} with most bytes
 */
public record RunDetail(
    List<FilesystemPart> filesystems, List<TargetRate> targets, List<RunFile> files) {
  static final int FILES = 64;

  /** Stands for a run of which only the features are known. */
  public static final RunDetail NONE = new RunDetail(List.of(), List.of(), List.of());

  /**
   * What a run did on one file system of the site.
   *
   * @param bytesRead of POSIX and STDIO, null where unknown; likewise {@code bytesWritten}
   * @param features by name, those of {@link FeatureCatalog#OF_FILESYSTEM}
   */
  public record FilesystemPart(
      String filesystem,
      Double bytesRead,
      Double bytesWritten,
      double files,
      Double opens,
      Map<String, Feature> features) {

    /** A part of which nothing but these features was kept. */
    public static FilesystemPart ofFeatures(String filesystem, Map<String, Feature> features) {
      return new FilesystemPart(filesystem, null, null, 0, null, features);
    }
  }

  static RunDetail of(RunTotals run) {
    List<FilesystemPart> filesystems = new ArrayList<>();
    run.listedMounts.forEach((mount, totals) -> filesystems.add(part(mount, totals, run)));
    List<RunFile> files =
        run.files.stream()
            .sorted(
                Comparator.comparingDouble(ListedFile::bytes)
                    .reversed()
                    .thenComparing(ListedFile::recordId, Long::compareUnsigned))
            .limit(FILES)
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
    out.features().keySet().retainAll(FeatureCatalog.OF_FILESYSTEM);
    return out.features();
  }

  private static Double sum(MountTotals totals, String counter) {
    Count sum = new Count();
    sum.merge(totals.module(Module.POSIX).sum(counter));
    sum.merge(totals.module(Module.STDIO).sum(counter));
    return FeatureWriter.valueOf(sum);
  }
}
