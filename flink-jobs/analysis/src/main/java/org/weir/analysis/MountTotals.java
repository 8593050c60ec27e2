package org.weir.analysis;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;

/** Everything known of one mount class of a run: totals by module, its files, its bytes in time. */
final class MountTotals {
  private final Map<Module, ModuleTotals> modules = new EnumMap<>(Module.class);
  private final Map<Module, LibraryTotals> libraries = new EnumMap<>(Module.class);
  private FileTable files = new FileTable();

  /** Storage targets (OSTs) that hold parts of its files. */
  private DistinctIds targets = new DistinctIds();

  /** Bytes of POSIX and STDIO records, spread over their read and write intervals. */
  private BusyGrid busy = new BusyGrid();

  /** One of {@link Module#DATA}. */
  ModuleTotals module(Module module) {
    return modules.computeIfAbsent(module, ModuleTotals::new);
  }

  /** One of {@link Module#LIBRARIES}. */
  LibraryTotals library(Module module) {
    return libraries.computeIfAbsent(module, LibraryTotals::new);
  }

  FileTable files() {
    return files;
  }

  DistinctIds targets() {
    return targets;
  }

  BusyGrid busy() {
    return busy;
  }

  void merge(MountTotals other) {
    other.modules.forEach((module, totals) -> module(module).merge(totals));
    other.libraries.forEach((module, totals) -> library(module).merge(totals));
    files.merge(other.files);
    targets.merge(other.targets);
    busy.merge(other.busy);
  }

  void write(DataOutput out) throws IOException {
    out.writeByte(modules.size());
    for (Map.Entry<Module, ModuleTotals> module : modules.entrySet()) {
      out.writeUTF(module.getKey().name());
      module.getValue().write(out);
    }
    out.writeByte(libraries.size());
    for (Map.Entry<Module, LibraryTotals> module : libraries.entrySet()) {
      out.writeUTF(module.getKey().name());
      module.getValue().write(out);
    }
    files.write(out);
    targets.write(out);
    busy.write(out);
  }

  static MountTotals read(DataInput in) throws IOException {
    MountTotals totals = new MountTotals();
    int moduleCount = in.readByte();
    for (int i = 0; i < moduleCount; i++) {
      Module module = Module.valueOf(in.readUTF());
      totals.modules.put(module, ModuleTotals.read(module, in));
    }
    int libraryCount = in.readByte();
    for (int i = 0; i < libraryCount; i++) {
      Module module = Module.valueOf(in.readUTF());
      totals.libraries.put(module, LibraryTotals.read(module, in));
    }
    totals.files = FileTable.read(in);
    totals.targets = DistinctIds.read(in);
    totals.busy = BusyGrid.read(in);
    return totals;
  }
}
