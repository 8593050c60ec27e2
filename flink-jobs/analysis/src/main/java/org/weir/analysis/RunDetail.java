package org.weir.analysis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

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

  /** What a run did on one file system of the site; POSIX and STDIO, bytes null where unknown. */
  public record FilesystemPart(
      String filesystem, Double bytesRead, Double bytesWritten, double files, Double opens) {}

  static RunDetail of(RunTotals run) {
    List<FilesystemPart> filesystems = new ArrayList<>();
    run.listedMounts.forEach((mount, totals) -> filesystems.add(part(mount, totals, run.files)));
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

  private static FilesystemPart part(String mount, MountTotals totals, ListedFiles files) {
    return new FilesystemPart(
        mount,
        sum(totals, "BYTES_READ"),
        sum(totals, "BYTES_WRITTEN"),
        files.count(f -> f.filesystem().equals(mount)),
        sum(totals, "OPENS"));
  }

  private static Double sum(MountTotals totals, String counter) {
    Count sum = new Count();
    sum.merge(totals.module(Module.POSIX).sum(counter));
    sum.merge(totals.module(Module.STDIO).sum(counter));
    return FeatureWriter.valueOf(sum);
  }
}
