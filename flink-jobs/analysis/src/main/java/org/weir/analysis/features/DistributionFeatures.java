package org.weir.analysis.features;

import static java.util.Objects.requireNonNull;
import static org.weir.analysis.evidence.FeatureGroup.each;
import static org.weir.analysis.log.Module.MPIIO;
import static org.weir.analysis.log.Module.POSIX;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.weir.analysis.accumulate.FileUse;
import org.weir.analysis.accumulate.ModuleTotals;
import org.weir.analysis.evidence.FeatureGroup;
import org.weir.analysis.evidence.FeatureSpec;
import org.weir.analysis.evidence.FeatureSpec.Bounds;
import org.weir.analysis.evidence.FeatureWriter;
import org.weir.analysis.log.Direction;
import org.weir.analysis.log.Module;
import org.weir.analysis.state.Spread;
import org.weir.analysis.totals.EffectiveRanks;
import org.weir.analysis.totals.ListedFile;
import org.weir.analysis.totals.RunTotals;

/** Computes over how many ranks the bytes were spread, and whether few of them did it for all. */
final class DistributionFeatures {

  static final FeatureGroup FEATURES = FeatureGroup.ofLog();

  private static final Map<Direction, Map<Module, Spread>> SPREAD = new EnumMap<>(Direction.class);

  static {
    for (Direction direction : Direction.values()) {
      SPREAD.put(direction, each(Module.DATA, module -> spread(module, direction)));
    }
  }

  private static final List<Module> WITH_COLLECTIVE = List.of(POSIX, MPIIO);
  private static final String COLLECTIVE = " of listed files with collective data operations";
  private static final Map<Module, FeatureSpec> COLLECTIVE_BYTES =
      each(
          WITH_COLLECTIVE,
          module ->
              FEATURES.total(
                  "collective_" + module.featurePrefix() + "_bytes",
                  "both directions, " + module.logName() + COLLECTIVE,
                  POSIX,
                  MPIIO));
  private static final Map<Module, Bounds> COLLECTIVE_RANKS =
      each(
          WITH_COLLECTIVE,
          module ->
              FEATURES.range(
                  "collective_" + module.featurePrefix() + "_effective_ranks",
                  "the effective ranks, " + module.logName() + COLLECTIVE,
                  POSIX,
                  MPIIO));

  private final RunTotals run;
  private final FeatureWriter out;

  private DistributionFeatures(RunTotals run, FeatureWriter out) {
    this.run = run;
    this.out = out;
  }

  private record Spread(Bounds ranks, Bounds largestShare) {}

  private static Spread spread(Module module, Direction direction) {
    String what =
        switch (direction) {
          case BOTH -> "the bytes";
          case READ -> "the bytes read";
          case WRITE -> "the bytes written";
        };
    String prefix = module.featurePrefix() + "_" + direction.infix();
    String where = ", " + module.logName() + ", listed";
    return new Spread(
        FEATURES.range(
            prefix + "effective_ranks",
            "the number of ranks that did "
                + what
                + ", (sum b)^2 / sum(b^2)"
                + where
                + "; 1 = one rank did it all, nprocs = even",
            module),
        FEATURES.range(
            prefix + "largest_rank_share", "the largest rank's share of " + what + where, module));
  }

  static void write(RunTotals run, FeatureWriter out) {
    DistributionFeatures features = new DistributionFeatures(run, out);
    SPREAD.forEach(
        (direction, ofModules) ->
            ofModules.forEach((module, specs) -> features.spread(specs, module, direction)));
    WITH_COLLECTIVE.forEach(features::collective);
  }

  private void spread(Spread specs, Module module, Direction direction) {
    ModuleTotals listed = run.listed(module);
    boolean known =
        listed.sum("BYTES_READ").isAvailable() && listed.sum("BYTES_WRITTEN").isAvailable();
    if (!known) {
      out.range(specs.ranks, null, null, false);
      out.range(specs.largestShare, null, null, false);
    } else if (listed.bytes(direction) == 0) {
      out.undefined(specs.ranks);
      out.undefined(specs.largestShare);
    } else {
      EffectiveRanks ranks =
          EffectiveRanks.of(
              run.nprocs, listed, run.elsewhere(module), run.heatmap(module), direction);
      out.range(specs.ranks, ranks.lower(), ranks.upper(), ranks.isExact());
      out.range(specs.largestShare, ranks.shareLower(), ranks.shareUpper(), ranks.isShareExact());
    }
  }

  private static boolean isCollective(ListedFile file) {
    FileUse mpiio = file.use(MPIIO);
    return mpiio != null && mpiio.collective > 0;
  }

  /** Over the files with collective data operations. */
  private void collective(Module module) {
    boolean all = run.files.isComplete();
    List<FileUse> uses =
        run.files.stream()
            .filter(DistributionFeatures::isCollective)
            .map(f -> f.use(module))
            .filter(use -> use != null)
            .toList();
    double bytes = uses.stream().mapToDouble(FileUse::bytes).sum();
    out.ofFiles(requireNonNull(COLLECTIVE_BYTES.get(module)), bytes, all);
    Bounds spread = requireNonNull(COLLECTIVE_RANKS.get(module));
    if (bytes == 0) {
      out.undefined(spread);
    } else {
      EffectiveRanks ranks = EffectiveRanks.ofFiles(run.nprocs, uses);
      boolean exact = all && ranks.isExact();
      out.range(spread, ranks.lower(), ranks.upper(), exact);
    }
  }
}
