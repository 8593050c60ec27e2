package org.weir.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.weir.analysis.RealLogs.RealLog;
import org.weir.analysis.compare.FeatureCatalog;
import org.weir.analysis.evidence.EvidenceClass;
import org.weir.analysis.run.RunFeatures;

/**
 * Well-known public logs: the numbers that were read from them by other means, and known errors.
 */
class PublicLogsTest {
  private static List<RealLog> logs = List.of();

  @BeforeAll
  static void export() {
    logs = RealLogs.all();
    assumeTrue(!logs.isEmpty(), RealLogs.whyMissing());
  }

  private static RunFeatures log(String part) throws Exception {
    return logs.stream()
        .filter(log -> log.name().contains(part))
        .findFirst()
        .orElseThrow()
        .features();
  }

  private static Set<String> holding(RunFeatures run) {
    return ShippedRules.holding(run);
  }

  @ParameterizedTest
  @CsvSource({
    "skew-app, 65536, 1.00, 65536",
    "public.example, 2048, 2048, 2048",
    "jeanbez_8, 1024, 40.9, 102.8",
    "jlbez_8a, 384, 63.95, 384",
    "mpi-io-test-x86_64-3.5.0, 4, 4.00, 4.00",
  })
  void effectiveRanks(String log, long nprocs, double posix, double mpiio) throws Exception {
    RunFeatures run = log(log);
    assertThat(run.nprocs()).isEqualTo(nprocs);
    for (String bound : List.of("lower", "upper")) {
      assertThat(run.value("posix_effective_ranks_" + bound)).isCloseTo(posix, within(0.04));
      assertThat(run.value("mpiio_effective_ranks_" + bound)).isCloseTo(mpiio, within(0.04));
    }
  }

  @Test
  void badostIsEvenYetSlowBecauseOfTarget14() throws Exception {
    RunFeatures run = log("sample-badost");
    assertThat(run.value("posix_effective_ranks_lower")).isEqualTo(2_048);
    assertThat(run.value("slowest_target")).isEqualTo(14);
    assertThat(run.value("slowest_target_mib_per_second")).isCloseTo(0.47, within(0.005));
    assertThat(run.value("median_target_mib_per_second")).isCloseTo(23.2, within(0.05));
    assertThat(run.value("slowest_target_ratio")).isCloseTo(0.02, within(0.001));
    assertThat(holding(run)).contains("slow_target");
    RunFeatures good = log("sample-goodost");
    assertThat(good.value("slowest_target_ratio")).isCloseTo(0.65, within(0.006));
    assertThat(holding(good)).doesNotContain("slow_target");
  }

  @Test
  void skewAppIsFunnelledByItsCollectiveLayerOntoOneStripe() throws Exception {
    assertThat(holding(log("skew-app")))
        .containsExactly("collective_funnel", "collective_overhead", "single_stripe_shared_file");
  }

  @Test
  void healthyRunsHaveNoFinding() throws Exception {
    for (String name : List.of("public.example", "sample-goodost", "jlbez_8a", "x86_64-3.5.0")) {
      assertThat(holding(log(name))).as(name).isEmpty();
    }
  }

  @Test
  void error1ExactMebibytesAreNotSmall() throws Exception {
    RunFeatures run = log("skew-app");
    assertThat(run.value("posix_size_write_100k_1m")).isGreaterThan(41_600);
    assertThat(run.value("small_writes")).isLessThan(33);
    assertThat(run.value("unaligned_requests")).isEqualTo(16);
    assertThat(holding(run)).doesNotContain("small_io", "unaligned_io");
  }

  @Test
  void error2MetadataTimeIsByProcess() throws Exception {
    RunFeatures run = log("skew-app");
    assertThat(run.value("metadata_seconds")).isCloseTo(35_282, within(2.0));
    assertThat(run.value("metadata_seconds_per_process")).isCloseTo(0.54, within(0.005));
    assertThat(holding(run)).doesNotContain("metadata_heavy");
  }

  @Test
  void error3ImbalanceDoesNotFadeWithScale() {
    // Of n ranks one takes 8 times the mean: time and bytes, whatever n.
    for (long n : new long[] {16, 1_024, 65_536}) {
      TestLog log = new TestLog(n);
      double share = 8.0 / n;
      long bytes = 1L << 40;
      double mean = (double) bytes / n;
      double others = bytes * (1 - share) / (n - 1);
      double variance =
          ((8 * mean - mean) * (8 * mean - mean) + (n - 1) * (others - mean) * (others - mean)) / n;
      log.add(
          TestLog.posix("/scratch/a", -1)
              .with("BYTES_WRITTEN", bytes)
              .with("SLOWEST_RANK_BYTES", (long) (8 * mean))
              .with("F_VARIANCE_RANK_BYTES", variance));
      RunFeatures run = log.features();
      assertThat(run.value("posix_largest_rank_share_lower") * n).isCloseTo(8, within(0.01));
      assertThat(run.value("posix_largest_rank_share_upper") * n).isGreaterThanOrEqualTo(7.99);
    }
  }

  @Test
  void error4RedundantReadsAreThoseBeyondTheExtent() throws Exception {
    RunFeatures again = log("generated.redundant_reads");
    assertThat(again.value("reread_bytes_above_4x")).isGreaterThan(64 << 20);
    RunFeatures once = log("generated.random_small_reads.1");
    assertThat(once.value("reread_bytes_above_4x")).isZero();
  }

  @Test
  void error5HealthyAggregatorsAreNoStragglers() throws Exception {
    assertThat(holding(log("jlbez_8a"))).doesNotContain("straggler", "load_imbalance");
  }

  @Test
  void error6OneRecordCanBeImbalanced() throws Exception {
    assertThat(holding(log("generated.rank0_writer.4")))
        .containsExactly("load_imbalance", "rank0_io");
  }

  @Test
  void error7ThePartialFlagWeakensItsModule() throws Exception {
    RunFeatures run = log("generated.partial_module_data");
    assertThat(run.feature("opens").evidence()).isEqualTo(EvidenceClass.LOWER_BOUND);
    assertThat(run.traits()).contains("partial_log");
    // Partial DXT weakens nothing else.
    RunFeatures dxt = log("public.partial_data_dxt");
    assertThat(dxt.feature("opens").evidence()).isEqualTo(EvidenceClass.EXACT);
  }

  /** No feature reads hints: Darshan's own log hints cannot be mistaken for the program's. */
  @Test
  void error8HintsOfTheLogAreNotRead() {
    assertThat(FeatureCatalog.all())
        .allSatisfy(
            spec -> assertThat(spec.name()).doesNotContain("cb_", "romio", "striping_factor"));
  }

  @Test
  void negativeTimesAreUnavailable() throws Exception {
    int unavailable = 0;
    for (RealLog log : logs) {
      unavailable += log.features().value("metadata_seconds") == null ? 1 : 0;
    }
    assertThat(unavailable).isGreaterThanOrEqualTo(2);
  }

  @Test
  void unreducedLayoutRecordsOfAFileAreOneFile() throws Exception {
    RunFeatures run = log("jeanbez_8");
    assertThat(run.value("lustre_files")).isLessThan(20);
    assertThat(run.value("targets_used")).isGreaterThanOrEqualTo(64);
    assertThat(holding(run)).doesNotContain("target_overload", "overstriped_small_files");
  }
}
