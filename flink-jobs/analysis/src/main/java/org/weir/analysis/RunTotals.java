package org.weir.analysis;

import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.weir.wire.LogHeader;

/** The sums over a log's records as the features read them. */
final class RunTotals {
  final LogHeader header;
  final RunAccumulator accumulator;
  final Site site;
  final long nprocs;
  final Map<Module, LogState.OfModule> states;
  final ListedFiles files;

  /** On listed file systems by id. */
  final Map<String, MountTotals> listedMounts = new TreeMap<>();

  private final Map<Module, ModuleTotals> listed;
  private final Map<Module, ModuleTotals> elsewhere;
  private final Map<Module, ModuleTotals> all;
  private final Map<Module, LibraryTotals> libraries = new EnumMap<>(Module.class);

  RunTotals(
      LogHeader header,
      RunAccumulator accumulator,
      Site site,
      Map<Module, LogState.OfModule> states) {
    this.header = header;
    this.accumulator = accumulator;
    this.site = site;
    this.states = states;
    this.nprocs = Math.max(1, header.getNprocs());
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
    for (Module module : Module.LIBRARIES) {
      LibraryTotals sum = new LibraryTotals(module);
      accumulator.mounts().values().forEach(totals -> sum.merge(totals.library(module)));
      libraries.put(module, sum);
    }
  }

  private Map<Module, ModuleTotals> sums(Predicate<String> mounts) {
    Map<Module, ModuleTotals> sums = new EnumMap<>(Module.class);
    for (Module module : Module.DATA) {
      ModuleTotals sum = new ModuleTotals(module);
      accumulator
          .mounts()
          .forEach(
              (mount, totals) -> {
                if (mounts.test(mount)) {
                  sum.merge(totals.module(module));
                }
              });
      sums.put(module, sum);
    }
    return sums;
  }

  /** Of a module of {@link Module#DATA}, on listed file systems. */
  ModuleTotals listed(Module module) {
    return listed.get(module);
  }

  /** On all other mounts and the standard streams. */
  ModuleTotals elsewhere(Module module) {
    return elsewhere.get(module);
  }

  ModuleTotals all(Module module) {
    return all.get(module);
  }

  /** Of a module of {@link Module#LIBRARIES}, everywhere. */
  LibraryTotals library(Module module) {
    return libraries.get(module);
  }
}
