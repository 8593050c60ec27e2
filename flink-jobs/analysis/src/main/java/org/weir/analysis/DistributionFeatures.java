package org.weir.analysis;

import static org.weir.analysis.EvidenceClass.EXACT;
import static org.weir.analysis.EvidenceClass.LOWER_BOUND;

import java.util.List;
import org.weir.analysis.FeatureWriter.Kind;

/** Over how many ranks the bytes were spread, and the funnel test. */
final class DistributionFeatures {
  private DistributionFeatures() {}

  static void write(RunTotals run, FeatureWriter out) {
    for (Module module : Module.DATA) {
      for (Direction direction : Direction.values()) {
        effectiveRanks(run, out, module, direction);
      }
    }
    collective(run, out);
  }

  private static void effectiveRanks(
      RunTotals run, FeatureWriter out, Module module, Direction direction) {
    String prefix = module.featurePrefix() + "_" + direction.infix();
    String name = prefix + "effective_ranks";
    String share = prefix + "largest_rank_share";
    ModuleTotals listed = run.listed(module);
    boolean known =
        listed.sum("BYTES_READ").isAvailable() && listed.sum("BYTES_WRITTEN").isAvailable();
    if (!known) {
      out.range(name, null, null, false, module);
      out.range(share, null, null, false, module);
    } else if (listed.bytes(direction) == 0) {
      for (String feature : List.of(name, share)) {
        out.undefined(feature + "_lower", module);
        out.undefined(feature + "_upper", module);
      }
    } else {
      EffectiveRanks ranks =
          EffectiveRanks.of(
              run.nprocs, listed, run.elsewhere(module), run.heatmap(module), direction);
      out.range(name, ranks.lower(), ranks.upper(), ranks.isExact(), module);
      out.range(share, ranks.shareLower(), ranks.shareUpper(), ranks.isShareExact(), module);
    }
  }

  /** Over the files with collective data operations. */
  private static void collective(RunTotals run, FeatureWriter out) {
    boolean all = run.files.isComplete();
    for (Module module : List.of(Module.POSIX, Module.MPIIO)) {
      String prefix = "collective_" + module.featurePrefix();
      List<FileUse> uses =
          run.files.stream()
              .filter(f -> f.use(Module.MPIIO) != null && f.use(Module.MPIIO).collective > 0)
              .map(f -> f.use(module))
              .filter(use -> use != null)
              .toList();
      double bytes = uses.stream().mapToDouble(FileUse::bytes).sum();
      Module[] modules = {Module.POSIX, Module.MPIIO};
      out.ofFiles(prefix + "_bytes", bytes, all, modules);
      String name = prefix + "_effective_ranks";
      if (bytes == 0) {
        out.undefined(name + "_lower", modules);
        out.undefined(name + "_upper", modules);
      } else {
        EffectiveRanks ranks = EffectiveRanks.ofFiles(run.nprocs, uses);
        out.range(name, ranks.lower(), ranks.upper(), all && ranks.isExact(), modules);
      }
    }
    mpiio(run, out);
  }

  private static void mpiio(RunTotals run, FeatureWriter out) {
    ModuleTotals mpiio = run.listed(Module.MPIIO);
    for (String kind : List.of("INDEP", "COLL", "SPLIT", "NB")) {
      for (String direction : List.of("READS", "WRITES")) {
        String counter = kind + "_" + direction;
        String name = "mpiio_" + counter.toLowerCase(java.util.Locale.ROOT);
        out.total(name, mpiio.sum(counter), Module.MPIIO);
      }
    }
    out.total("mpiio_syncs", mpiio.sum("SYNCS"), Module.MPIIO);
    out.total("mpiio_hints", mpiio.sum("HINTS"), Module.MPIIO);
    out.total("mpiio_views", mpiio.sum("VIEWS"), Module.MPIIO);
    List<FileUse> shared =
        run.files.stream()
            .map(f -> f.use(Module.MPIIO))
            .filter(use -> use != null && Sharing.of(use, run.nprocs) == Sharing.SHARED)
            .toList();
    EvidenceClass own = run.files.isComplete() ? EXACT : LOWER_BOUND;
    out.put(
        "mpiio_shared_independent_operations",
        shared.stream().mapToDouble(use -> (double) use.independent).sum(),
        own,
        Kind.TOTAL,
        Module.MPIIO);
    out.put(
        "mpiio_shared_independent_only_operations",
        shared.stream()
            .filter(use -> use.collective == 0)
            .mapToDouble(use -> (double) use.independent)
            .sum(),
        own,
        Kind.SHARE,
        Module.MPIIO);
    out.put(
        "mpiio_shared_collective_operations",
        shared.stream().mapToDouble(use -> (double) use.collective).sum(),
        own,
        Kind.TOTAL,
        Module.MPIIO);
  }
}
