package org.weir.analysis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** When a run moved its bytes on one file system, as well as the log tells. */
record OwnTraffic(List<OwnSlot> slots, EvidenceClass evidence) {
  private static final List<Module> DATA = List.of(Module.POSIX, Module.STDIO);

  /**
   * From the heatmaps of POSIX and STDIO, scaled to the file system's share of their bytes; where
   * one is missing, from the records' intervals (bounded).
   */
  static OwnTraffic of(String filesystem, RunTotals run) {
    RunAccumulator accumulator = run.accumulator;
    if (filesystem == null) {
      return new OwnTraffic(List.of(), EvidenceClass.EXACT);
    }
    MountTotals mount = accumulator.mounts().get(filesystem);
    List<OwnSlot> slots = new ArrayList<>();
    EvidenceClass evidence = EvidenceClass.EXACT;
    for (Module module : DATA) {
      double there = mount.module(module).bytes(Direction.BOTH);
      HeatmapTotals heatmap = accumulator.heatmap(module);
      if (there > 0 && heatmap == null) {
        return ofRecords(mount);
      }
      if (there > 0) {
        double share = there / run.all(module).bytes(Direction.BOTH);
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

  /** Seconds in which it moved anything, as fine as the slots are. */
  double busySeconds() {
    double seconds = 0;
    double until = 0;
    List<OwnSlot> inOrder =
        slots.stream().sorted(Comparator.comparingDouble(OwnSlot::fromSeconds)).toList();
    for (OwnSlot slot : inOrder) {
      seconds += Math.max(0, slot.toSeconds() - Math.max(until, slot.fromSeconds()));
      until = Math.max(until, slot.toSeconds());
    }
    return seconds;
  }
}
