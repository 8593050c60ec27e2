package org.weir.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.weir.analysis.RealLogs.RealLog;
import org.weir.analysis.evidence.EvidenceClass;
import org.weir.analysis.evidence.Feature;
import org.weir.analysis.log.Module;
import org.weir.analysis.run.RunFeatures;

/** Logs of real runs: against libdarshan's own accumulators, and against what was run. */
class RealLogsTest {
  /** Labels that name a finding; device_contention and slow_vs_history need more than a log. */
  private static final Set<String> JUDGED =
      Set.of(
          "rank0_io",
          "load_imbalance",
          "small_io",
          "unaligned_io",
          "no_collective",
          "metadata_heavy",
          "many_small_files",
          "redundant_read",
          "random_io",
          "stdio_heavy",
          "fsync_heavy");

  /** Where label and finding differ, read one by one. */
  private static final Map<String, String> DISAGREEMENTS =
      Map.of(
          "generated.python_nonmpi +small_io",
          "it reads 120 files in 1,080 requests of 8 KiB; the label says only nonmpi");

  /** Findings that are no label of any run, read one by one. */
  private static final Map<String, String> OTHERS =
      Map.of(
          "small_unaligned_writes",
          "writes of 47,001 B (and HDF5 pieces) into a shared file are small and unaligned",
          "h5_no_chunk_or_collective",
          "hdf5_independent writes its datasets with independent transfers");

  static Stream<RealLog> committed() {
    return RealLogs.committed().stream();
  }

  static Stream<RealLog> generated() {
    return committed().filter(RealLog::isGenerated);
  }

  static Stream<RealLog> reported() {
    return committed().filter(log -> log.truth().path("program_mib_per_second").isNumber());
  }

  private static void assertTotals(RealLog log) throws Exception {
    RunFeatures features = log.features();
    for (Module module : Module.DATA) {
      JsonNode expected = log.truth().path("libdarshan").path(module.logName());
      if (expected.isMissingNode() && log.truth().path("libdarshan").isEmpty()) {
        continue;
      }
      String name = module.featurePrefix();
      // libdarshan adds negative times up as they are
      if (features.feature(name + "_agg_time_by_slowest_seconds").evidence()
          == EvidenceClass.EXACT) {
        near(features, name + "_agg_time_by_slowest_seconds", expected.path("agg_time_by_slowest"));
        near(
            features,
            name + "_agg_perf_by_slowest_mib_per_second",
            expected.path("agg_perf_by_slowest"));
      }
      near(features, name + "_bytes", expected.path("total_bytes"));
    }
  }

  /** File by file in Python over pydarshan's tables. */
  private static void assertApplicationLayer(RealLog log) throws Exception {
    JsonNode expected = log.truth().path("application_layer");
    if (expected.isObject()) {
      RunFeatures features = log.features();
      assertThat(features.value("io_time_seconds")).as(log.name()).isNotNull();
      near(features, "io_time_seconds", expected.path("seconds"));
      near(features, "application_bytes", expected.path("bytes"));
    }
  }

  private static void near(RunFeatures features, String name, JsonNode expected) {
    double value = expected.asDouble();
    assertThat(features.value(name)).as(name).isCloseTo(value, within(1e-9 * (1 + value)));
  }

  @ParameterizedTest
  @MethodSource("committed")
  void totalsAreThoseOfLibdarshan(RealLog log) throws Exception {
    assertTotals(log);
    assertApplicationLayer(log);
  }

  /**
   * Within 3 % where I/O took over 0.5 s; below HDF5 and for streams, which spend time that no
   * module sees, a bound.
   */
  @ParameterizedTest
  @MethodSource("reported")
  void ratesAreWhatTheProgramItselfReported(RealLog log) throws Exception {
    double reported = log.truth().path("program_mib_per_second").asDouble();
    RunFeatures run = log.features();
    double rate = run.value("mib_per_second");
    boolean isBound =
        log.name().contains("hdf5") || run.value("stdio_bytes") > run.value("posix_bytes");
    if (isBound) {
      assertThat(rate).isGreaterThan(reported);
    } else if (run.value("io_time_seconds") > 0.5) {
      assertThat(rate).isCloseTo(reported, withinPercentage(3));
    } else {
      assertThat(rate).isCloseTo(reported, withinPercentage(5));
    }
    // Of 400,000 lines a process, Darshan's wrapper takes a tenth as long as they do.
    boolean told = log.name().contains("hdf5") || log.name().contains("stdio_lines");
    assertThat(run.feature("io_time_seconds").evidence())
        .isEqualTo(told ? EvidenceClass.LOWER_BOUND : EvidenceClass.EXACT);
  }

  @ParameterizedTest
  @MethodSource("generated")
  void findingsAreWhatWasRun(RealLog log) throws Exception {
    assertThat(judged(found(log)))
        .containsExactlyInAnyOrderElementsOf(judged(new TreeSet<>(log.labels())));
  }

  @Test
  void totalsAreThoseOfLibdarshanOverAllLogs() throws Exception {
    List<RealLog> logs = RealLogs.all();
    assumeTrue(!logs.isEmpty(), RealLogs.whyMissing());
    for (RealLog log : logs) {
      assertTotals(log);
      assertApplicationLayer(log);
    }
  }

  @Test
  void precisionAndRecallOverAllGeneratedRuns() throws Exception {
    List<RealLog> logs = RealLogs.all();
    assumeTrue(!logs.isEmpty(), RealLogs.whyMissing());
    Map<String, Set<String>> found = new TreeMap<>();
    Map<String, Set<String>> labels = new TreeMap<>();
    for (RealLog log : logs) {
      if (log.isGenerated()) {
        // A label is one of the job, whichever of its steps it is about.
        found.computeIfAbsent(log.caseName(), c -> new TreeSet<>()).addAll(found(log));
        labels.put(log.caseName(), new TreeSet<>(log.labels()));
      }
    }
    List<String> disagreements = new ArrayList<>();
    Set<String> others = new TreeSet<>();
    int right = 0;
    for (String run : found.keySet()) {
      Set<String> expected = judged(labels.get(run));
      Set<String> fired = judged(found.get(run));
      right += (int) fired.stream().filter(expected::contains).count();
      difference(fired, expected).forEach(id -> disagreements.add(run + " +" + id));
      difference(expected, fired).forEach(id -> disagreements.add(run + " -" + id));
      others.addAll(difference(found.get(run), JUDGED));
    }
    double wrong = disagreements.stream().filter(d -> d.contains("+")).count();
    double missed = disagreements.size() - wrong;
    assertThat(right / (right + wrong)).as("precision").isGreaterThanOrEqualTo(0.95);
    assertThat(right / (right + missed)).as("recall").isGreaterThanOrEqualTo(0.95);
    assertThat(right).isEqualTo(61);
    assertThat(disagreements).containsExactlyInAnyOrderElementsOf(DISAGREEMENTS.keySet());
    assertThat(others).isEqualTo(OTHERS.keySet());
  }

  private static Set<String> found(RealLog log) throws Exception {
    return ShippedRules.holding(log.features());
  }

  private static Set<String> judged(Set<String> ids) {
    return ids.stream().filter(JUDGED::contains).collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> difference(Set<String> a, Set<String> b) {
    Set<String> rest = new TreeSet<>(a);
    rest.removeAll(b);
    return rest;
  }

  @Test
  void traitsAreWhatWasRun() throws Exception {
    List<RealLog> logs = RealLogs.all();
    assumeTrue(!logs.isEmpty(), RealLogs.whyMissing());
    for (RealLog log : logs) {
      Set<String> traits = new TreeSet<>(log.features().traits());
      for (String label : List.of("shared_file", "nonmpi", "partial_log")) {
        if (log.labels().contains(label)) {
          assertThat(traits).as(log.name()).contains(label);
        }
      }
      if (log.labels().contains("no_io")) {
        assertThat(traits).contains("no_io", "no_files");
      }
    }
  }

  /** Where a heatmap knows the ranks exactly, the bounds from the records alone hold it. */
  @Test
  void effectiveRanksHoldWhatTheHeatmapSays() throws Exception {
    List<RealLog> logs = RealLogs.all();
    assumeTrue(!logs.isEmpty(), RealLogs.whyMissing());
    int compared = 0;
    for (RealLog log : logs) {
      JsonNode heatmaps = log.truth().path("heatmap_effective_ranks");
      for (Module module : List.of(Module.POSIX, Module.MPIIO)) {
        JsonNode exact = heatmaps.path("heatmap:" + module.counterPrefix());
        RunFeatures run = log.features();
        String name = module.featurePrefix();
        Feature bytes = run.feature(name + "_site_bytes");
        // Only where all bytes are on listed mounts do the two speak of the same.
        if (!exact.isNumber()
            || !bytes.isKnown()
            || !bytes.value().equals(run.value(name + "_bytes"))
            || bytes.evidence() != EvidenceClass.EXACT) {
          continue;
        }
        compared++;
        double truth = exact.asDouble();
        assertThat(run.value(name + "_effective_ranks_lower"))
            .as(log.name() + " " + module)
            .isLessThanOrEqualTo(truth * (1 + 1e-4));
        assertThat(run.value(name + "_effective_ranks_upper"))
            .as(log.name() + " " + module)
            .isGreaterThanOrEqualTo(truth * (1 - 1e-4));
      }
    }
    assertThat(compared).isGreaterThan(40);
  }
}
