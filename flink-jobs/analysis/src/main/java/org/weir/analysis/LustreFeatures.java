package org.weir.analysis;

import static org.weir.analysis.EvidenceClass.BOUNDED;
import static org.weir.analysis.EvidenceClass.EXACT;
import static org.weir.analysis.EvidenceClass.LOWER_BOUND;
import static org.weir.analysis.Module.LUSTRE;
import static org.weir.analysis.Module.POSIX;
import static org.weir.analysis.Module.STDIO;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.weir.analysis.FeatureWriter.Kind;

/** Striping of the run's files, and how fast each storage target was. */
final class LustreFeatures {
  private static final String KIND = "lustre";

  /** What moves less has no rate worth a word: a page cache or one open decides it. */
  private static final double TIMED_BYTES = 1 << 20;

  private static final List<String> OF_LAYOUTS =
      List.of(
          "lustre_files",
          "single_stripe_files",
          "largest_single_stripe_shared_file_bytes",
          "overstriped_files",
          "targets_used",
          "stripes_per_target",
          "stripe_size_bytes",
          "stripe_size_smallest_bytes",
          "stripe_size_largest_bytes",
          "stripe_count",
          "targets_timed",
          "slowest_target",
          "slowest_target_mib_per_second",
          "median_target_mib_per_second",
          "slowest_target_ratio");

  private static final List<String> STRIPE_SIZES =
      List.of("stripe_size_bytes", "stripe_size_smallest_bytes", "stripe_size_largest_bytes");

  private final RunTotals run;
  private final FeatureWriter out;
  private final List<ListedFile> striped;

  private LustreFeatures(RunTotals run, FeatureWriter out, Predicate<ListedFile> which) {
    this.run = run;
    this.out = out;
    this.striped = run.files.stream().filter(which).filter(f -> f.stripeCount() > 0).toList();
  }

  static void write(RunTotals run, FeatureWriter out) {
    LustreFeatures features = new LustreFeatures(run, out, file -> true);
    features.expected();
    if (run.listedMounts.keySet().stream().anyMatch(features::isUntold)) {
      OF_LAYOUTS.forEach(name -> out.unknowable(name, LUSTRE));
    } else {
      features.layouts();
      features.targets();
    }
  }

  /** Stripe sizes of the files on one listed file system. */
  static void writeStripeSizes(RunTotals run, String mount, FeatureWriter out) {
    LustreFeatures features = new LustreFeatures(run, out, file -> file.filesystem().equals(mount));
    if (features.isUntold(mount)) {
      STRIPE_SIZES.forEach(name -> out.unknowable(name, LUSTRE));
    } else {
      features.stripeSizes();
    }
  }

  /** The run used this Lustre of the site, but Darshan was built without its module. */
  private boolean isUntold(String mount) {
    Site.FileSystem fileSystem = run.site.fileSystem(mount);
    return fileSystem != null
        && KIND.equals(fileSystem.kind())
        && !run.listedMounts.get(mount).files().files().isEmpty()
        && run.states.get(LUSTRE) == LogState.OfModule.ABSENT;
  }

  private void layouts() {
    boolean all = run.files.isComplete();
    double files = run.files.count(f -> f.stripeCount() > 0);
    out.estimated("lustre_files", files, all, Kind.TOTAL, LUSTRE);
    double single = run.files.count(f -> f.stripeCount() == 1);
    out.estimated("single_stripe_files", single, all, Kind.TOTAL, LUSTRE);
    out.ofFiles(
        "largest_single_stripe_shared_file_bytes",
        run.files.max(
            f -> f.stripeCount() == 1 && f.sharing() == Sharing.SHARED, ListedFile::extent),
        all,
        LUSTRE,
        POSIX,
        STDIO);
    out.estimated(
        "overstriped_files",
        run.files.count(LustreFeatures::isOverstriped),
        all,
        Kind.SHARE,
        LUSTRE,
        POSIX,
        STDIO);
    double used = 0;
    for (MountTotals mount : run.listedMounts.values()) {
      used += mount.targets().value();
    }
    out.put("targets_used", used, EXACT, Kind.TOTAL, LUSTRE);
    double stripes = 0;
    for (ListedFile file : striped) {
      stripes += file.scale() * file.totals().layout().targetCount();
    }
    out.estimated("stripes_per_target", used == 0 ? 0 : stripes / used, all, Kind.SHARE, LUSTRE);
    ofStriped("stripe_count", ListedFile::stripeCount, BY_BYTES.reversed());
    stripeSizes();
  }

  private void stripeSizes() {
    Comparator<ListedFile> bySize = Comparator.comparingLong(ListedFile::stripeSize);
    ofStriped("stripe_size_bytes", ListedFile::stripeSize, BY_BYTES.reversed());
    ofStriped("stripe_size_smallest_bytes", ListedFile::stripeSize, bySize);
    ofStriped("stripe_size_largest_bytes", ListedFile::stripeSize, bySize.reversed());
  }

  private static final Comparator<ListedFile> BY_BYTES =
      Comparator.comparingDouble(ListedFile::bytes).thenComparing(ListedFile::recordId);

  static boolean isOverstriped(ListedFile file) {
    return file.stripeCount() > 1 && file.bytes() > 0 && file.extent() < file.stripeSize();
  }

  /** Writes a value of the striped file that comes first in this order. */
  private void ofStriped(
      String name, ToLongFunction<ListedFile> what, Comparator<ListedFile> order) {
    if (striped.isEmpty()) {
      out.undefined(name, LUSTRE);
    } else {
      double value = (double) what.applyAsLong(Collections.min(striped, order));
      EvidenceClass own = run.files.isComplete() ? EXACT : BOUNDED;
      out.put(name, value, own, Kind.SHARE, LUSTRE, POSIX, STDIO);
    }
  }

  /** By the site's number of targets and its default striping, where LUSTRE does not say. */
  private void expected() {
    Double most = 0.0;
    for (Map.Entry<String, MountTotals> mount : run.listedMounts.entrySet()) {
      Site.FileSystem fileSystem = run.site.fileSystem(mount.getKey());
      double files = run.files.count(f -> f.filesystem().equals(mount.getKey()) && f.bytes() > 0);
      if (files > 0 && isUntold(mount.getKey())) {
        most = most == null ? null : larger(most, expectedOn(fileSystem, files));
      }
    }
    if (most == null) {
      out.undefined("expected_stripes_per_target", POSIX, STDIO);
    } else {
      out.put(
          "expected_stripes_per_target",
          most,
          most == 0 ? EXACT : BOUNDED,
          Kind.TOTAL,
          POSIX,
          STDIO);
    }
  }

  private static Double larger(double a, Double b) {
    return b == null ? null : Double.valueOf(Math.max(a, b));
  }

  private static Double expectedOn(Site.FileSystem fileSystem, double files) {
    int targets = fileSystem.targets().size();
    Integer stripes = fileSystem.defaultStripeCount();
    return targets == 0 || stripes == null
        ? null
        : Double.valueOf(LustreContention.load(targets, stripes, files));
  }

  private void targets() {
    List<TargetRate> rates =
        rates(run.files).stream().filter(rate -> rate.bytes() >= TIMED_BYTES).toList();
    Module[] modules = {LUSTRE, POSIX, STDIO};
    // A record with an unknown time takes its targets away.
    out.put(
        "targets_timed",
        (double) rates.size(),
        run.files.isComplete() ? EXACT : LOWER_BOUND,
        Kind.SHARE,
        modules);
    List<String> names =
        List.of(
            "slowest_target",
            "slowest_target_mib_per_second",
            "median_target_mib_per_second",
            "slowest_target_ratio");
    if (rates.isEmpty()) {
      names.forEach(name -> out.undefined(name, modules));
      return;
    }
    TargetRate slowest =
        rates.stream().min(Comparator.comparingDouble(TargetRate::mibPerSecond)).orElseThrow();
    double median = median(rates.stream().mapToDouble(TargetRate::mibPerSecond).sorted().toArray());
    double[] values = {
      (double) slowest.target(), slowest.mibPerSecond(), median, slowest.mibPerSecond() / median
    };
    for (int i = 0; i < values.length; i++) {
      out.put(names.get(i), values[i], BOUNDED, Kind.SHARE, modules);
    }
  }

  /** Of the targets that were timed, in the order of file system and index. */
  static List<TargetRate> rates(ListedFiles files) {
    Map<String, Map<Long, TargetRate>> rates = new TreeMap<>();
    files.stream()
        .filter(f -> f.stripeCount() > 0 && f.totals().layout().isComplete())
        .filter(f -> f.bytes() > 0 && f.dataSeconds() > 0)
        .forEach(
            file -> {
              double parts = (double) file.totals().layout().targetCount();
              for (long target : file.totals().layout().targets()) {
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
