package org.weir.analysis.features;

import static java.util.Objects.requireNonNull;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.weir.analysis.evidence.Feature;
import org.weir.analysis.evidence.FeatureSpec;
import org.weir.analysis.evidence.FeatureWriter;
import org.weir.analysis.log.LogState;
import org.weir.analysis.log.Module;
import org.weir.analysis.totals.RunTotals;
import org.weir.analysis.totals.Sharing;

/**
 * What kind of run it was, as words; no findings. Interfaces are named as in the paper's Table II,
 * with N for PnetCDF and D for DAOS: P, S, M, H, N, D. posix_unrecorded: a library moved bytes and
 * Darshan recorded no POSIX below it. N:N, N:1, N:M or no_files say how the files that most bytes
 * went to were shared.
 */
final class Traits {
  private final RunTotals run;
  private final FeatureWriter out;
  private final Map<String, Boolean> traits = new TreeMap<>();

  private Traits(RunTotals run, FeatureWriter out) {
    this.run = run;
    this.out = out;
  }

  static List<String> of(RunTotals run, FeatureWriter out, LogState logState) {
    Traits traits = new Traits(run, out);
    traits.interfaces();
    traits.sharing();
    traits.traits.put("partial_log", !logState.hasAllRecords());
    Feature bytes = out.feature(VolumeFeatures.BYTES_MOVED);
    traits.traits.put("no_io", bytes.isKnown() && bytes.requiredValue() == 0);
    traits.traits.put("nonmpi", run.nprocs == 1 && run.accumulator.hasRankRecordsOnly());
    return traits.traits.entrySet().stream()
        .filter(Map.Entry::getValue)
        .map(Map.Entry::getKey)
        .toList();
  }

  private void interfaces() {
    traits.put("P", isPositive(VolumeFeatures.bytesOf(Module.POSIX)));
    Double stdio = out.value(VolumeFeatures.bytesOf(Module.STDIO));
    Double streams = out.value(VolumeFeatures.STANDARD_STREAM_BYTES);
    traits.put("S", stdio != null && streams != null && stdio > streams);
    String mpiio = Module.MPIIO.logName();
    traits.put("M", run.header.getModules().stream().anyMatch(m -> m.getName().equals(mpiio)));
    traits.put(
        "H", isPositive(LibraryFeatures.H5F_FILES) || isPositive(LibraryFeatures.H5D_DATASETS));
    traits.put("N", isPositive(LibraryFeatures.PNETCDF_FILES));
    traits.put("D", VolumeFeatures.OBJECT_BYTES.values().stream().anyMatch(this::isPositive));
    traits.put("posix_unrecorded", run.traffic.lacksPosix());
  }

  /**
   * Says no word where a module's records are unknown, and no_files only where none may be missing.
   */
  private void sharing() {
    Map<Sharing, Feature> bytes = new EnumMap<>(Sharing.class);
    FileFeatures.SHARING_BYTES.forEach((sharing, spec) -> bytes.put(sharing, out.feature(spec)));
    if (bytes.values().stream().anyMatch(feature -> feature.value() == null)) {
      return;
    }
    double unique = requireNonNull(bytes.get(Sharing.UNIQUE)).requiredValue();
    double partial = requireNonNull(bytes.get(Sharing.PARTIAL)).requiredValue();
    double shared = requireNonNull(bytes.get(Sharing.SHARED)).requiredValue();
    double most = Math.max(unique, Math.max(partial, shared));
    traits.put("shared_file", shared > 0);
    traits.put("no_files", most == 0 && bytes.values().stream().allMatch(Feature::isKnown));
    traits.put("N:1", most > 0 && most == shared);
    traits.put("N:M", most > 0 && most == partial && most != shared);
    traits.put("N:N", most > 0 && most == unique && most != shared && most != partial);
  }

  private boolean isPositive(FeatureSpec feature) {
    Double value = out.value(feature);
    return value != null && value > 0;
  }
}
