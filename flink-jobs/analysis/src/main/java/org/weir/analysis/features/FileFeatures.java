package org.weir.analysis.features;

import static org.weir.analysis.evidence.FeatureGroup.each;
import static org.weir.analysis.log.Module.MPIIO;
import static org.weir.analysis.log.Module.POSIX;
import static org.weir.analysis.log.Module.STDIO;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.weir.analysis.accumulate.FileTable;
import org.weir.analysis.evidence.FeatureGroup;
import org.weir.analysis.evidence.FeatureSpec;
import org.weir.analysis.evidence.FeatureWriter;
import org.weir.analysis.log.Module;
import org.weir.analysis.totals.ListedFile;
import org.weir.analysis.totals.ListedFiles;
import org.weir.analysis.totals.RunTotals;
import org.weir.analysis.totals.Sharing;

/** Computes in how many listed files the data lies, how large, how shared and how often read. */
final class FileFeatures {

  static final FeatureGroup FEATURES = FeatureGroup.ofLog();

  private static final String ESTIMATED = "; estimated above " + FileTable.KEPT + " files";
  private static final String SOME = "; of some files above " + FileTable.KEPT;
  private static final List<Module> STREAMS_AND_POSIX = List.of(POSIX, STDIO);

  private static final FeatureSpec DATA_FILES =
      FEATURES.total(
          "data_files",
          "listed files that POSIX or STDIO moved bytes of" + ESTIMATED,
          POSIX,
          STDIO);
  private static final FeatureSpec READ_ONLY_FILES =
      FEATURES.ofPart(
          "read_only_files", "data_files that were read and not written" + ESTIMATED, POSIX, STDIO);
  private static final FeatureSpec WRITE_ONLY_FILES =
      FEATURES.ofPart(
          "write_only_files",
          "data_files that were written and not read" + ESTIMATED,
          POSIX,
          STDIO);
  private static final FeatureSpec MEAN_DATA_FILE_BYTES =
      FEATURES.ofPart(
          "mean_data_file_bytes", "mean extent of data_files" + ESTIMATED, POSIX, STDIO);
  private static final FeatureSpec LARGEST_FILE_BYTES =
      FEATURES.total(
          "largest_file_bytes",
          "largest extent of a listed file: last offset read or written + 1" + SOME,
          POSIX,
          STDIO);
  private static final FeatureSpec LARGEST_SHARED_FILE_BYTES =
      FEATURES.total(
          "largest_shared_file_bytes",
          "largest extent of a listed file that all ranks opened" + SOME,
          POSIX,
          MPIIO,
          STDIO);
  private static final Map<Sharing, FeatureSpec> SHARING_FILES = new EnumMap<>(Sharing.class);
  static final Map<Sharing, FeatureSpec> SHARING_BYTES = new EnumMap<>(Sharing.class);

  static {
    for (Sharing sharing : Sharing.values()) {
      String which =
          switch (sharing) {
            case UNIQUE -> "opened by one rank";
            case PARTIAL -> "opened by several ranks, fewer than all";
            case SHARED -> "opened by all of several ranks";
          };
      String widest = ", by the widest of POSIX, MPI-IO and STDIO";
      String files = "data_files " + which + widest + ESTIMATED;
      String bytes = "bytes of listed files " + which + widest + SOME;
      SHARING_FILES.put(sharing, ofSharing(sharing, "files", files));
      SHARING_BYTES.put(sharing, ofSharing(sharing, "file_bytes", bytes));
    }
  }

  private static final Map<Module, FeatureSpec> READ_ONLY_FILE_BYTES =
      each(
          STREAMS_AND_POSIX,
          // a file of one module may have been written through the other
          module ->
              FEATURES.ofPart(
                  module.featurePrefix() + "_read_only_file_bytes",
                  module.logName()
                      + " bytes, both directions, of listed files that were read and not written"
                      + SOME,
                  POSIX,
                  STDIO));
  private static final Map<Module, FeatureSpec> WRITTEN_FILE_BYTES =
      each(
          STREAMS_AND_POSIX,
          module ->
              FEATURES.total(
                  module.featurePrefix() + "_written_file_bytes",
                  module.logName()
                      + " bytes, both directions, of listed files that POSIX or STDIO wrote"
                      + SOME,
                  POSIX,
                  STDIO));
  private static final FeatureSpec REREAD_BYTES =
      FEATURES.total(
          "reread_bytes", "bytes read beyond each listed file's extent" + SOME, POSIX, STDIO);
  private static final FeatureSpec REREAD_BYTES_ABOVE_2X = rereadAbove(2);
  private static final FeatureSpec REREAD_BYTES_ABOVE_4X = rereadAbove(4);

  private final ListedFiles files;
  private final boolean all;
  private final FeatureWriter out;

  private FileFeatures(RunTotals run, FeatureWriter out) {
    this.files = run.files;
    this.all = files.isComplete();
    this.out = out;
  }

  private static FeatureSpec ofSharing(Sharing sharing, String what, String meaning) {
    String name = sharing.text() + "_" + what;
    // a record that is missing can only make a file shared by more ranks
    return sharing == Sharing.SHARED
        ? FEATURES.total(name, meaning, POSIX, MPIIO, STDIO)
        : FEATURES.ofPart(name, meaning, POSIX, MPIIO, STDIO);
  }

  private static FeatureSpec rereadAbove(int times) {
    return FEATURES.total(
        "reread_bytes_above_" + times + "x",
        "reread_bytes of the files that were read more than " + times + " times over" + SOME,
        POSIX,
        STDIO);
  }

  static void write(RunTotals run, FeatureWriter out) {
    FileFeatures features = new FileFeatures(run, out);
    features.numbers();
    features.extents();
    features.sharing();
    features.use();
  }

  private void numbers() {
    out.estimated(DATA_FILES, files.count(f -> f.bytes() > 0), all);
    double readOnly = files.count(f -> f.bytesRead() > 0 && f.bytesWritten() == 0);
    out.estimated(READ_ONLY_FILES, readOnly, all);
    double writeOnly = files.count(f -> f.bytesWritten() > 0 && f.bytesRead() == 0);
    out.estimated(WRITE_ONLY_FILES, writeOnly, all);
  }

  private void extents() {
    double mean = files.mean(f -> f.bytes() > 0, ListedFile::extent);
    if (Double.isNaN(mean)) {
      out.undefined(MEAN_DATA_FILE_BYTES);
    } else {
      out.estimated(MEAN_DATA_FILE_BYTES, mean, all);
    }
    out.ofFiles(LARGEST_FILE_BYTES, files.max(f -> true, ListedFile::extent), all);
    double shared = files.max(f -> f.sharing() == Sharing.SHARED, ListedFile::extent);
    out.ofFiles(LARGEST_SHARED_FILE_BYTES, shared, all);
  }

  private void sharing() {
    SHARING_FILES.forEach(
        (sharing, spec) ->
            out.estimated(spec, files.count(f -> f.sharing() == sharing && f.bytes() > 0), all));
    SHARING_BYTES.forEach(
        (sharing, spec) ->
            out.ofFiles(spec, files.sum(f -> f.sharing() == sharing, ListedFile::bytes), all));
  }

  private void use() {
    READ_ONLY_FILE_BYTES.forEach(
        (module, spec) ->
            out.ofFiles(spec, files.sum(f -> f.bytesWritten() == 0, f -> f.bytesOf(module)), all));
    WRITTEN_FILE_BYTES.forEach(
        (module, spec) ->
            out.ofFiles(spec, files.sum(f -> f.bytesWritten() > 0, f -> f.bytesOf(module)), all));
    out.ofFiles(REREAD_BYTES, files.sum(f -> true, ListedFile::rereadBytes), all);
    out.ofFiles(REREAD_BYTES_ABOVE_2X, reread(2), all);
    out.ofFiles(REREAD_BYTES_ABOVE_4X, reread(4), all);
  }

  private double reread(int times) {
    return files.sum(f -> f.isReadMoreThan(times), ListedFile::rereadBytes);
  }
}
