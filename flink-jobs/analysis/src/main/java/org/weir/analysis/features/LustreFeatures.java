package org.weir.analysis.features;

import static java.util.Objects.requireNonNull;
import static org.weir.analysis.evidence.EvidenceClass.BOUNDED;
import static org.weir.analysis.evidence.EvidenceClass.EXACT;
import static org.weir.analysis.evidence.EvidenceClass.LOWER_BOUND;
import static org.weir.analysis.log.Module.LUSTRE;
import static org.weir.analysis.log.Module.POSIX;
import static org.weir.analysis.log.Module.STDIO;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.weir.analysis.accumulate.FileLayout;
import org.weir.analysis.accumulate.MountTotals;
import org.weir.analysis.evidence.FeatureGroup;
import org.weir.analysis.evidence.FeatureSpec;
import org.weir.analysis.evidence.FeatureWriter;
import org.weir.analysis.log.LogState;
import org.weir.analysis.run.TargetRate;
import org.weir.analysis.totals.ListedFile;
import org.weir.analysis.totals.ListedFiles;
import org.weir.analysis.totals.RunTotals;
import org.weir.analysis.totals.Sharing;
import org.weir.site.Site;

/** Computes the striping of the run's files, and how fast each storage target was. */
final class LustreFeatures {

  static final FeatureGroup FEATURES = FeatureGroup.ofLog();

  private static final FeatureSpec EXPECTED_STRIPES_PER_TARGET =
      FEATURES.total(
          "expected_stripes_per_target",
          "D_load of data_files at the site's default stripe count over its targets; 0 where LUSTRE"
              + " tells the layouts, or on no Lustre",
          POSIX,
          STDIO);
  private static final FeatureSpec LUSTRE_FILES =
      FEATURES.total("lustre_files", "listed files with a known striping", LUSTRE);
  private static final FeatureSpec SINGLE_STRIPE_FILES =
      FEATURES.total("single_stripe_files", "lustre_files with stripe count 1", LUSTRE);
  private static final FeatureSpec LARGEST_SINGLE_STRIPE_SHARED_FILE_BYTES =
      FEATURES.total(
          "largest_single_stripe_shared_file_bytes",
          "largest extent of a shared file with stripe count 1, 0 if there is none",
          LUSTRE,
          POSIX,
          STDIO);
  private static final FeatureSpec OVERSTRIPED_FILES =
      FEATURES.ofPart(
          "overstriped_files",
          "data_files with a stripe count above 1 and an extent below one stripe",
          LUSTRE,
          POSIX,
          STDIO);
  private static final FeatureSpec TARGETS_USED =
      FEATURES.total(
          "targets_used", "distinct storage targets (OSTs) that hold parts of the files", LUSTRE);
  private static final FeatureSpec STRIPES_PER_TARGET =
      FEATURES.ofPart(
          "stripes_per_target", "distinct files' targets, summed / targets_used", LUSTRE);
  private static final FeatureSpec STRIPE_COUNT =
      ofStriped(FEATURES, "stripe_count", "stripe count of the striped file with most bytes");
  private static final FeatureSpec STRIPE_SIZE_BYTES =
      ofStriped(
          FEATURES.byFilesystem(),
          "stripe_size_bytes",
          "stripe size of the striped file with most bytes");
  private static final FeatureSpec STRIPE_SIZE_SMALLEST_BYTES =
      ofStriped(
          FEATURES.byFilesystem(), "stripe_size_smallest_bytes", "smallest stripe size of a file");
  private static final FeatureSpec STRIPE_SIZE_LARGEST_BYTES =
      ofStriped(
          FEATURES.byFilesystem(), "stripe_size_largest_bytes", "largest stripe size of a file");
  // a record with an unknown time takes its targets away
  private static final FeatureSpec TARGETS_TIMED =
      ofTargets("targets_timed", "targets that moved at least 1 MiB in a known time");
  private static final FeatureSpec SLOWEST_TARGET =
      ofTargets("slowest_target", "index of the slowest of targets_timed");
  private static final String RATE =
      " of targets_timed: bytes / (READ + WRITE seconds) over its files, both divided by the file's"
          + " targets";
  private static final FeatureSpec SLOWEST_TARGET_MIB_PER_SECOND =
      ofTargets("slowest_target_mib_per_second", "lowest rate" + RATE);
  private static final FeatureSpec MEDIAN_TARGET_MIB_PER_SECOND =
      ofTargets("median_target_mib_per_second", "median rate" + RATE);
  private static final FeatureSpec SLOWEST_TARGET_RATIO =
      ofTargets(
          "slowest_target_ratio", "slowest_target_mib_per_second / median_target_mib_per_second");

  private static final String KIND = "lustre";

  /** What moves less has no rate worth a word: a page cache or one open decides it. */
  private static final double TIMED_BYTES = 1 << 20;

  private final RunTotals run;
  private final FeatureWriter out;
  private final List<ListedFile> striped;

  private LustreFeatures(RunTotals run, FeatureWriter out, Predicate<ListedFile> which) {
    this.run = run;
    this.out = out;
    this.striped = run.files.stream().filter(which).filter(f -> f.stripeCount() > 0).toList();
  }

  private static FeatureSpec ofStriped(FeatureGroup group, String name, String meaning) {
    return group.ofPart(name, meaning, LUSTRE, POSIX, STDIO);
  }

  private static FeatureSpec ofTargets(String name, String meaning) {
    return FEATURES.ofPart(name, meaning, LUSTRE, POSIX, STDIO);
  }

  static void write(RunTotals run, FeatureWriter out) {
    LustreFeatures features = new LustreFeatures(run, out, file -> true);
    features.expected();
    if (run.listedMounts.keySet().stream().anyMatch(features::isUntold)) {
      FEATURES.specs().stream()
          .filter(spec -> spec != EXPECTED_STRIPES_PER_TARGET)
          .forEach(spec -> out.unknowable(spec, LUSTRE));
    } else {
      features.layouts();
      features.targets();
    }
  }

  /** Stripe sizes of the files on one listed file system. */
  static void writeStripeSizes(RunTotals run, String mount, FeatureWriter out) {
    LustreFeatures features = new LustreFeatures(run, out, file -> file.filesystem().equals(mount));
    if (features.isUntold(mount)) {
      FEATURES.specs().stream()
          .filter(FeatureSpec::byFilesystem)
          .forEach(spec -> out.unknowable(spec, LUSTRE));
    } else {
      features.stripeSizes();
    }
  }

  /** The run used this Lustre of the site, but Darshan was built without its module. */
  private boolean isUntold(String mount) {
    Site.FileSystem fileSystem = run.site.fileSystem(mount);
    return fileSystem != null
        && KIND.equals(fileSystem.kind())
        && !requireNonNull(run.listedMounts.get(mount), mount).files().files().isEmpty()
        && run.states.get(LUSTRE) == LogState.OfModule.ABSENT;
  }

  private void layouts() {
    boolean all = run.files.isComplete();
    out.estimated(LUSTRE_FILES, run.files.count(f -> f.stripeCount() > 0), all);
    out.estimated(SINGLE_STRIPE_FILES, run.files.count(f -> f.stripeCount() == 1), all);
    double largest =
        run.files.max(
            f -> f.stripeCount() == 1 && f.sharing() == Sharing.SHARED, ListedFile::extent);
    out.ofFiles(LARGEST_SINGLE_STRIPE_SHARED_FILE_BYTES, largest, all);
    out.estimated(OVERSTRIPED_FILES, run.files.count(LustreFeatures::isOverstriped), all);
    double used = 0;
    for (MountTotals mount : run.listedMounts.values()) {
      used += mount.targets().value();
    }
    out.put(TARGETS_USED, used, EXACT);
    double stripes = 0;
    for (ListedFile file : striped) {
      stripes += file.scale() * layout(file).targetCount();
    }
    out.estimated(STRIPES_PER_TARGET, used == 0 ? 0 : stripes / used, all);
    ofStriped(STRIPE_COUNT, ListedFile::stripeCount, BY_BYTES.reversed());
    stripeSizes();
  }

  private void stripeSizes() {
    Comparator<ListedFile> bySize = Comparator.comparingLong(ListedFile::stripeSize);
    ofStriped(STRIPE_SIZE_BYTES, ListedFile::stripeSize, BY_BYTES.reversed());
    ofStriped(STRIPE_SIZE_SMALLEST_BYTES, ListedFile::stripeSize, bySize);
    ofStriped(STRIPE_SIZE_LARGEST_BYTES, ListedFile::stripeSize, bySize.reversed());
  }

  private static final Comparator<ListedFile> BY_BYTES =
      Comparator.comparingDouble(ListedFile::bytes).thenComparing(ListedFile::recordId);

  static boolean isOverstriped(ListedFile file) {
    return file.stripeCount() > 1 && file.bytes() > 0 && file.extent() < file.stripeSize();
  }

  /** Writes a value of the striped file that comes first in this order. */
  private void ofStriped(
      FeatureSpec spec, ToLongFunction<ListedFile> what, Comparator<ListedFile> order) {
    if (striped.isEmpty()) {
      out.undefined(spec, LUSTRE);
    } else {
      double value = (double) what.applyAsLong(Collections.min(striped, order));
      out.put(spec, value, run.files.isComplete() ? EXACT : BOUNDED);
    }
  }

  /** By the site's number of targets and its default striping, where LUSTRE does not say. */
  private void expected() {
    Double most = 0.0;
    for (Map.Entry<String, MountTotals> mount : run.listedMounts.entrySet()) {
      Site.FileSystem fileSystem = run.site.fileSystem(mount.getKey());
      double files = run.files.count(f -> f.filesystem().equals(mount.getKey()) && f.bytes() > 0);
      if (fileSystem != null && files > 0 && isUntold(mount.getKey())) {
        most = most == null ? null : larger(most, expectedOn(fileSystem, files));
      }
    }
    if (most == null) {
      out.undefined(EXPECTED_STRIPES_PER_TARGET);
    } else {
      out.put(EXPECTED_STRIPES_PER_TARGET, most, most == 0 ? EXACT : BOUNDED);
    }
  }

  private static @Nullable Double larger(double a, @Nullable Double b) {
    return b == null ? null : Double.valueOf(Math.max(a, b));
  }

  private static @Nullable Double expectedOn(Site.FileSystem fileSystem, double files) {
    int targets = fileSystem.targets().size();
    Integer stripes = fileSystem.defaultStripeCount();
    return targets == 0 || stripes == null
        ? null
        : Double.valueOf(LustreContention.load(targets, stripes, files));
  }

  private void targets() {
    List<TargetRate> rates =
        rates(run.files).stream().filter(rate -> rate.bytes() >= TIMED_BYTES).toList();
    double timed = (double) rates.size();
    out.put(TARGETS_TIMED, timed, run.files.isComplete() ? EXACT : LOWER_BOUND);
    if (rates.isEmpty()) {
      out.undefined(SLOWEST_TARGET);
      out.undefined(SLOWEST_TARGET_MIB_PER_SECOND);
      out.undefined(MEDIAN_TARGET_MIB_PER_SECOND);
      out.undefined(SLOWEST_TARGET_RATIO);
      return;
    }
    TargetRate slowest =
        rates.stream().min(Comparator.comparingDouble(TargetRate::mibPerSecond)).orElseThrow();
    double median = median(rates.stream().mapToDouble(TargetRate::mibPerSecond).sorted().toArray());
    out.put(SLOWEST_TARGET, (double) slowest.target(), BOUNDED);
    out.put(SLOWEST_TARGET_MIB_PER_SECOND, slowest.mibPerSecond(), BOUNDED);
    out.put(MEDIAN_TARGET_MIB_PER_SECOND, median, BOUNDED);
    out.put(SLOWEST_TARGET_RATIO, slowest.mibPerSecond() / median, BOUNDED);
  }

  /** Returns the rates of the targets that were timed, ordered by file system and index. */
  static List<TargetRate> rates(ListedFiles files) {
    Map<String, Map<Long, TargetRate>> rates = new TreeMap<>();
    files.stream()
        .filter(f -> f.stripeCount() > 0 && layout(f).isComplete())
        .filter(f -> f.bytes() > 0 && f.dataSeconds() > 0)
        .forEach(
            file -> {
              double parts = (double) layout(file).targetCount();
              for (long target : layout(file).targets()) {
                rates
                    .computeIfAbsent(file.filesystem(), id -> new TreeMap<>())
                    .merge(
                        target,
                        new TargetRate(
                            file.filesystem(),
                            target,
                            1,
                            file.bytes() / parts,
                            file.dataSeconds() / parts),
                        LustreFeatures::sum);
              }
            });
    List<TargetRate> list = new ArrayList<>();
    rates.values().forEach(ofFileSystem -> list.addAll(ofFileSystem.values()));
    return list;
  }

  /** Returns the layout of a file with a known striping. */
  private static FileLayout layout(ListedFile file) {
    return requireNonNull(file.totals().layout(), "the file is not striped");
  }

  private static TargetRate sum(TargetRate a, TargetRate b) {
    return new TargetRate(
        a.filesystem(),
        a.target(),
        a.files() + b.files(),
        a.bytes() + b.bytes(),
        a.seconds() + b.seconds());
  }

  private static double median(double[] sorted) {
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
