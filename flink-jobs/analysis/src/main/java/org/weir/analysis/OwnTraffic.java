package org.weir.analysis;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** When a run moved its bytes on one file system, as well as the log tells. */
record OwnTraffic(List<OwnSlot> slots, EvidenceClass evidence) {
  private static final List<Module> DATA = List.of(Module.POSIX, Module.STDIO);

  /**
   * From the heatmaps of POSIX and STDIO, scaled to the file system's share of their bytes; where
   * one is missing, from the records' intervals (bounded).
   */
  static OwnTraffic of(
      String filesystem, RunAccumulator accumulator, Map<Module, ModuleTotals> all) {
    if (filesystem == null) {
      return new OwnTraffic(List.of(), EvidenceClass.EXACT);
    }
    MountTotals mount = accumulator.mounts().get(filesystem);
    List<OwnSlot> slots = new ArrayList<>();
    EvidenceClass evidence = EvidenceClass.EXACT;
    for (Module module : DATA) {
      double there = bytes(mount.module(module));
      HeatmapTotals heatmap = accumulator.heatmap(module);
      if (there > 0 && heatmap == null) {
        return ofRecords(mount);
      }
      if (there > 0) {
        double share = there / bytes(all.get(module));
        addSlots(slots, heatmap.busy(), share);
        boolean exact = share == 1 && !heatmap.busy().isIncomplete();
        evidence = exact ? evidence : EvidenceClass.BOUNDED;
      }
    }
    return new OwnTraffic(List.copyOf(slots), evidence);
  }

  private static OwnTraffic ofRecords(MountTotals mount) {
    List<OwnSlot> slots = new ArrayList<>();
    addSlots(slots, mount.busy(), 1);
    return new OwnTraffic(List.copyOf(slots), EvidenceClass.BOUNDED);
  }

  private static void addSlots(List<OwnSlot> slots, BusyGrid grid, double share) {
    grid.visit(
        (from, to, read, written) ->
            slots.add(new OwnSlot(from, to, read * share, written * share)));
  }

  private static double bytes(ModuleTotals totals) {
    return (double) totals.bytesRead.value() + totals.bytesWritten.value();
  }
}
