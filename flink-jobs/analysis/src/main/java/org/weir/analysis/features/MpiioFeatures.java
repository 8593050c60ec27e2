package org.weir.analysis.features;

import static org.weir.analysis.evidence.EvidenceClass.EXACT;
import static org.weir.analysis.evidence.EvidenceClass.LOWER_BOUND;
import static org.weir.analysis.log.Module.MPIIO;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.weir.analysis.accumulate.FileUse;
import org.weir.analysis.evidence.EvidenceClass;
import org.weir.analysis.evidence.FeatureGroup;
import org.weir.analysis.evidence.FeatureSpec;
import org.weir.analysis.evidence.FeatureWriter;
import org.weir.analysis.totals.RunTotals;
import org.weir.analysis.totals.Sharing;

/** Computes which of MPI-IO's operations the program used, and whether collectively. */
final class MpiioFeatures {

  static final FeatureGroup FEATURES = FeatureGroup.ofLog();

  /** Each is the sum of one counter. */
  private static final List<FeatureSpec> SUMS =
      Stream.concat(
              Stream.of("INDEP", "COLL", "SPLIT", "NB")
                  .flatMap(kind -> Stream.of(kind + "_READS", kind + "_WRITES")),
              Stream.of("SYNCS", "HINTS", "VIEWS"))
          .map(counter -> FEATURES.sum("mpiio_" + counter.toLowerCase(Locale.ROOT), MPIIO, counter))
          .toList();

  private static final String SHARED =
      " reads and writes on files that all ranks opened with MPI-IO, listed";
  private static final FeatureSpec SHARED_INDEPENDENT =
      FEATURES.total("mpiio_shared_independent_operations", "INDEP + NB" + SHARED, MPIIO);
  private static final FeatureSpec SHARED_INDEPENDENT_ONLY =
      FEATURES.ofPart(
          "mpiio_shared_independent_only_operations",
          "mpiio_shared_independent_operations on files without COLL and SPLIT",
          MPIIO);
  private static final FeatureSpec SHARED_COLLECTIVE =
      FEATURES.total("mpiio_shared_collective_operations", "COLL + SPLIT" + SHARED, MPIIO);

  private MpiioFeatures() {}

  static void write(RunTotals run, FeatureWriter out) {
    SUMS.forEach(spec -> out.sum(spec, run.listed(MPIIO)::sum));
    List<FileUse> shared =
        run.files.stream()
            .map(f -> f.use(MPIIO))
            .filter(use -> use != null && Sharing.of(use, run.nprocs) == Sharing.SHARED)
            .toList();
    List<FileUse> independentOnly = shared.stream().filter(use -> use.collective == 0).toList();
    EvidenceClass own = run.files.isComplete() ? EXACT : LOWER_BOUND;
    out.put(SHARED_INDEPENDENT, independent(shared), own);
    out.put(SHARED_INDEPENDENT_ONLY, independent(independentOnly), own);
    double collective = shared.stream().mapToDouble(use -> (double) use.collective).sum();
    out.put(SHARED_COLLECTIVE, collective, own);
  }

  private static double independent(List<FileUse> uses) {
    return uses.stream().mapToDouble(use -> (double) use.independent).sum();
  }
}
