package org.weir.analysis.totals;

import static org.weir.analysis.evidence.EvidenceClass.BOUNDED;
import static org.weir.analysis.evidence.EvidenceClass.EXACT;

import java.util.ArrayList;
import java.util.List;
import org.weir.analysis.evidence.EvidenceClass;
import org.weir.analysis.log.LogState;
import org.weir.analysis.log.Module;
import org.weir.analysis.state.Count;

/**
 * Chooses the modules whose bytes are the traffic of a run, so that each byte counts once: POSIX
 * for files, STDIO for streams, DFS for what lies on DAOS.
 */
public final class Traffic {
  private static final List<Module> ABOVE_POSIX =
      List.of(Module.MPIIO, Module.H5D, Module.PNETCDF_FILE);

  private final RunTotals run;

  /** POSIX; where Darshan did not record it, the lowest module above it that moved bytes. */
  public final Module files;

  /** DFS; DAOS, a layer below it, where the program did not call DFS. */
  public final Module objects;

  Traffic(RunTotals run) {
    this.run = run;
    this.objects = bytesOf(Module.DFS) > 0 ? Module.DFS : Module.DAOS;
    boolean recorded =
        run.states.get(Module.POSIX) != LogState.OfModule.ABSENT || bytesOf(objects) > 0;
    this.files =
        recorded
            ? Module.POSIX
            : ABOVE_POSIX.stream()
                .filter(module -> bytesOf(module) > 0)
                .findFirst()
                .orElse(Module.POSIX);
  }

  private double bytesOf(Module module) {
    return (double) count(module, "BYTES_READ").value() + count(module, "BYTES_WRITTEN").value();
  }

  private Count count(Module module, String counter) {
    return Module.LIBRARIES.contains(module)
        ? run.library(module).sums.of(counter)
        : run.all(module).sum(counter);
  }

  /** No module below HDF5 or PnetCDF recorded the files: nothing has times that can be used. */
  public boolean isOfLibrary() {
    return Module.LIBRARIES.contains(files);
  }

  public boolean lacksPosix() {
    return files != Module.POSIX;
  }

  /** A library can move more or fewer bytes than it is asked for. */
  public EvidenceClass evidence() {
    return lacksPosix() ? BOUNDED : EXACT;
  }

  /** BYTES_READ or BYTES_WRITTEN of all modules, all mounts. */
  public List<Count> counts(String... counters) {
    List<Count> counts = new ArrayList<>();
    for (String counter : counters) {
      for (Module module : modules()) {
        counts.add(count(module, counter));
      }
    }
    return counts;
  }

  public Module[] modules() {
    return new Module[] {files, Module.STDIO, objects};
  }
}
