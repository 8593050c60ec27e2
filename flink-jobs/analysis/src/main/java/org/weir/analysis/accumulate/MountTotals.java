package org.weir.analysis.accumulate;

import java.util.EnumMap;
import java.util.Map;
import org.weir.analysis.log.Module;
import org.weir.analysis.state.BusyGrid;
import org.weir.analysis.state.DistinctIds;
import org.weir.analysis.state.StateBytes;

/** Everything known of one mount class of a run: totals by module, its files, its bytes in time. */
public final class MountTotals {
  private final Map<Module, ModuleTotals> modules = new EnumMap<>(Module.class);
  private final Map<Module, LibraryTotals> libraries = new EnumMap<>(Module.class);
  private final FileTable files = new FileTable();

  /** Storage targets (OSTs) that hold parts of its files. */
  private final DistinctIds targets = new DistinctIds();

  /** Bytes of POSIX and STDIO records, spread over their read and write intervals. */
  private final BusyGrid busy = new BusyGrid();

  /** One of {@link Module#DATA} or {@link Module#OBJECTS}. */
  public ModuleTotals module(Module module) {
    return modules.computeIfAbsent(module, ModuleTotals::new);
  }

  /** One of {@link Module#LIBRARIES}. */
  public LibraryTotals library(Module module) {
    return libraries.computeIfAbsent(module, LibraryTotals::new);
  }

  public FileTable files() {
    return files;
  }

  public DistinctIds targets() {
    return targets;
  }

  public BusyGrid busy() {
    return busy;
  }

  void write(StateBytes.Out out) {
    out.writeByte(modules.size());
    for (Map.Entry<Module, ModuleTotals> module : modules.entrySet()) {
      out.writeText(module.getKey().name());
      module.getValue().write(out);
    }
    out.writeByte(libraries.size());
    for (Map.Entry<Module, LibraryTotals> module : libraries.entrySet()) {
      out.writeText(module.getKey().name());
      module.getValue().write(out);
    }
    files.write(out);
    targets.write(out);
    busy.write(out);
  }

  /** Adds what was written. */
  void read(StateBytes.In in) {
    int moduleCount = in.readByte();
    for (int i = 0; i < moduleCount; i++) {
      module(Module.valueOf(in.readText())).read(in);
    }
    int libraryCount = in.readByte();
    for (int i = 0; i < libraryCount; i++) {
      library(Module.valueOf(in.readText())).read(in);
    }
    files.read(in);
    targets.read(in);
    busy.read(in);
  }
}
