package org.weir.analysis.totals;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.weir.analysis.accumulate.FileTable;
import org.weir.analysis.accumulate.MountTotals;

/** The files on all listed file systems, as far as their tables keep them. */
public final class ListedFiles {
  private final List<ListedFile> files = new ArrayList<>();
  private boolean complete = true;

  ListedFiles(Map<String, MountTotals> mounts, long nprocs) {
    mounts.forEach(
        (mount, totals) -> {
          FileTable table = totals.files();
          complete &= table.isComplete();
          double scale = table.scale();
          table
              .files()
              .forEach((id, file) -> files.add(ListedFile.of(mount, id, file, nprocs, scale)));
        });
  }

  /** All files are kept. */
  public boolean isComplete() {
    return complete;
  }

  public Stream<ListedFile> stream() {
    return files.stream();
  }

  /** Number of such files; an estimate where the tables are cut. */
  public double count(Predicate<ListedFile> which) {
    return Math.rint(files.stream().filter(which).mapToDouble(ListedFile::scale).sum());
  }

  /** Sum over the kept ones of such files. */
  public double sum(Predicate<ListedFile> which, ToDoubleFunction<ListedFile> what) {
    return files.stream().filter(which).mapToDouble(what).sum();
  }

  /** The largest number among the kept ones of such files, 0 if there are none. */
  public double max(Predicate<ListedFile> which, ToDoubleFunction<ListedFile> what) {
    return files.stream().filter(which).mapToDouble(what).max().orElse(0);
  }

  /** Mean over such files, NaN if there are none; an estimate where the tables are cut. */
  public double mean(Predicate<ListedFile> which, ToDoubleFunction<ListedFile> what) {
    double weight = files.stream().filter(which).mapToDouble(ListedFile::scale).sum();
    return files.stream().filter(which).mapToDouble(f -> f.scale() * what.applyAsDouble(f)).sum()
        / weight;
  }
}
