package org.weir.analysis.totals;

import static java.util.Objects.requireNonNull;

import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.weir.analysis.accumulate.HeatmapTotals;
import org.weir.analysis.accumulate.LibraryTotals;
import org.weir.analysis.accumulate.ModuleTotals;
import org.weir.analysis.accumulate.MountTotals;
import org.weir.analysis.accumulate.RunAccumulator;
import org.weir.analysis.log.LogState;
import org.weir.analysis.log.Module;
import org.weir.site.Site;
import org.weir.wire.LogHeader;

/** The sums over a log's records as the features read them. */
public final class RunTotals {
  public final LogHeader header;
  public final RunAccumulator accumulator;
  public final Site site;
  public final long nprocs;

  /** Not a number where the run did not come to its end. */
  public final double runTimeSeconds;

  public final Map<Module, LogState.OfModule> states;
  public final ListedFiles files;
  public final Traffic traffic;

  /** On listed file systems by id. */
  public final Map<String, MountTotals> listedMounts = new TreeMap<>();

  private final boolean hasWholeHeatmaps;
  private final Map<Module, ModuleTotals> listed;
  private final Map<Module, ModuleTotals> elsewhere;
  private final Map<Module, ModuleTotals> all;
  private final Map<Module, LibraryTotals> libraries = new EnumMap<>(Module.class);

  public RunTotals(
      LogHeader header,
      RunAccumulator accumulator,
      Site site,
      Map<Module, LogState.OfModule> states,
      boolean hasWholeHeatmaps) {
    this.header = header;
    this.accumulator = accumulator;
    this.site = site;
    this.states = states;
    this.hasWholeHeatmaps = hasWholeHeatmaps;
    this.nprocs = Math.max(1, header.getNprocs());
    this.runTimeSeconds = LogState.runTimeSeconds(header);
    accumulator
        .mounts()
        .forEach(
            (mount, totals) -> {
              if (RunAccumulator.isListed(mount)) {
                listedMounts.put(mount, totals);
              }
            });
    this.files = new ListedFiles(listedMounts, nprocs);
    this.listed = sums(RunAccumulator::isListed);
    this.elsewhere = sums(mount -> !RunAccumulator.isListed(mount));
    this.all = sums(mount -> true);
    for (Module module : Module.OBJECTS) {
      all.put(module, sum(module, mount -> true));
    }
    for (Module module : Module.LIBRARIES) {
      LibraryTotals sum = new LibraryTotals(module);
      accumulator.mounts().values().forEach(totals -> sum.merge(totals.library(module)));
      libraries.put(module, sum);
    }
    this.traffic = new Traffic(this);
    if (traffic.lacksPosix()) {
      // Its zeros are not true zeros.
      states.put(Module.POSIX, LogState.OfModule.UNDECODED);
    }
  }

  private Map<Module, ModuleTotals> sums(Predicate<String> mounts) {
    Map<Module, ModuleTotals> sums = new EnumMap<>(Module.class);
    Module.DATA.forEach(module -> sums.put(module, sum(module, mounts)));
    return sums;
  }

  private ModuleTotals sum(Module module, Predicate<String> mounts) {
    ModuleTotals sum = new ModuleTotals(module);
    accumulator
        .mounts()
        .forEach(
            (mount, totals) -> {
              if (mounts.test(mount)) {
                sum.merge(totals.module(module));
              }
            });
    return sum;
  }

  /** Returns the totals of a module of {@link Module#DATA} on listed file systems. */
  public ModuleTotals listed(Module module) {
    return requireNonNull(listed.get(module), module.logName());
  }

  /** On all other mounts and the standard streams. */
  public ModuleTotals elsewhere(Module module) {
    return requireNonNull(elsewhere.get(module), module.logName());
  }

  /** Returns the sums of a module of {@link Module#DATA} or {@link Module#OBJECTS}, everywhere. */
  public ModuleTotals all(Module module) {
    return requireNonNull(all.get(module), module.logName());
  }

  /** Null where the log has no heatmap of the module, or not all of its heatmaps. */
  public @Nullable HeatmapTotals heatmap(Module module) {
    return hasWholeHeatmaps ? accumulator.heatmap(module) : null;
  }

  /** Returns the totals of a module of {@link Module#LIBRARIES} everywhere. */
  public LibraryTotals library(Module module) {
    return requireNonNull(libraries.get(module), module.logName());
  }
}
