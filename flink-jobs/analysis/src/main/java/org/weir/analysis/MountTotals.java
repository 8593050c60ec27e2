package org.weir.analysis;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;

/** Everything known of one mount class of a run: totals by module and the time of its bytes. */
final class MountTotals {
  private final Map<Module, ModuleTotals> modules = new EnumMap<>(Module.class);

  /** Bytes of POSIX and STDIO records, spread over their read and write intervals. */
  private BusyGrid busy = new BusyGrid();

  ModuleTotals module(Module module) {
    return modules.computeIfAbsent(module, m -> new ModuleTotals());
  }

  BusyGrid busy() {
    return busy;
  }

  void merge(MountTotals other) {
    other.modules.forEach((module, totals) -> module(module).merge(totals));
    busy.merge(other.busy);
  }

  void write(DataOutput out) throws IOException {
    out.writeByte(modules.size());
    for (Map.Entry<Module, ModuleTotals> module : modules.entrySet()) {
      out.writeUTF(module.getKey().name());
      module.getValue().write(out);
    }
    busy.write(out);
  }

  static MountTotals read(DataInput in) throws IOException {
    MountTotals totals = new MountTotals();
    int size = in.readByte();
    for (int i = 0; i < size; i++) {
      totals.modules.put(Module.valueOf(in.readUTF()), ModuleTotals.read(in));
    }
    totals.busy = BusyGrid.read(in);
    return totals;
  }
}
