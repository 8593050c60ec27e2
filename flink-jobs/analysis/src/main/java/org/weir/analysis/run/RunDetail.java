package org.weir.analysis.run;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.weir.analysis.evidence.Feature;

/**
 * A run's features by part: too many for columns, needed for advice and reports.
 *
 * @param filesystems of the site, by id
 * @param targets Lustre storage targets, as far as they were timed
 * @param files the {@value #FILES} with most bytes
 */
public record RunDetail(
    List<FilesystemPart> filesystems, List<TargetRate> targets, List<RunFile> files) {
  /** At most so many files. */
  public static final int FILES = 64;

  /** Stands for a run of which only the features are known. */
  public static final RunDetail NONE = new RunDetail(List.of(), List.of(), List.of());

  /**
   * What a run did on one file system of the site.
   *
   * @param bytesRead of POSIX and STDIO, null where unknown; likewise {@code bytesWritten}
   * @param features by name, those that each listed file system has alone
   */
  public record FilesystemPart(
      String filesystem,
      @Nullable Double bytesRead,
      @Nullable Double bytesWritten,
      double files,
      @Nullable Double opens,
      Map<String, Feature> features) {

    /** A part of which nothing but these features was kept. */
    public static FilesystemPart ofFeatures(String filesystem, Map<String, Feature> features) {
      return new FilesystemPart(filesystem, null, null, 0, null, features);
    }
  }
}
