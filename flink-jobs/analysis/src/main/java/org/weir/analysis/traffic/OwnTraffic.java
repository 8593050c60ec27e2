package org.weir.analysis.traffic;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.weir.analysis.accumulate.HeatmapTotals;
import org.weir.analysis.accumulate.MountTotals;
import org.weir.analysis.accumulate.RunAccumulator;
import org.weir.analysis.evidence.EvidenceClass;
import org.weir.analysis.log.Direction;
import org.weir.analysis.log.Module;
import org.weir.analysis.state.BusyGrid;
import org.weir.analysis.totals.RunTotals;
import org.weir.site.Site;

/**
 * When a run moved its bytes on one file system, and where they lay, as far as log and site show.
 *
 * @param slots in the order of time
 * @param evidence of the slots: EXACT from heatmaps, else BOUNDED
 * @param devices empty where they are unknown
 */
public record OwnTraffic(
    String filesystem, List<OwnSlot> slots, EvidenceClass evidence, List<OwnDevice> devices) {
  private static final List<Module> DATA = List.of(Module.POSIX, Module.STDIO);

  /**
   * Computes it from the heatmaps of POSIX and STDIO, scaled to the file system's share of their
   * bytes; where one is missing, from the records' intervals (bounded).
   */
  public static OwnTraffic of(String filesystem, RunTotals run) {
    Site.FileSystem fileSystem = run.site.fileSystem(filesystem);
    List<OwnDevice> devices = fileSystem == null ? List.of() : OwnDevices.of(fileSystem, run.files);
    RunAccumulator accumulator = run.accumulator;
    MountTotals mount = requireNonNull(accumulator.mounts().get(filesystem), filesystem);
    List<OwnSlot> slots = new ArrayList<>();
    EvidenceClass evidence = EvidenceClass.EXACT;
    for (Module module : DATA) {
      double there = mount.module(module).bytes(Direction.BOTH);
      HeatmapTotals heatmap = run.heatmap(module);
      if (there > 0) {
        if (heatmap == null) {
          slots.clear();
          addSlots(slots, mount.busy(), 1);
          return new OwnTraffic(filesystem, List.copyOf(slots), EvidenceClass.BOUNDED, devices);
        }
        double share = there / run.all(module).bytes(Direction.BOTH);
        addSlots(slots, heatmap.busy(), share);
        boolean exact = share == 1 && !heatmap.busy().isIncomplete();
        evidence = exact ? evidence : EvidenceClass.BOUNDED;
      }
    }
    return new OwnTraffic(filesystem, List.copyOf(slots), evidence, devices);
  }

  private static void addSlots(List<OwnSlot> slots, BusyGrid grid, double share) {
    grid.visit(
        (from, to, read, written) ->
            slots.add(new OwnSlot(from, to, read * share, written * share)));
  }

  /** Seconds in which it moved anything, as fine as the slots are. */
  public double busySeconds() {
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
