package org.weir.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.weir.analysis.TestLog.MIB;
import static org.weir.analysis.TestLog.SITE;
import static org.weir.analysis.TestLog.mpiio;
import static org.weir.analysis.TestLog.posix;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.weir.analysis.compare.Baseline;
import org.weir.analysis.compare.EarlierRun;
import org.weir.analysis.evidence.EvidenceClass;
import org.weir.analysis.evidence.Feature;
import org.weir.analysis.features.FeatureComputer;
import org.weir.analysis.job.Coverage;
import org.weir.analysis.job.JobSummary;
import org.weir.analysis.job.JobSummary.Job;
import org.weir.analysis.job.JobSummary.Manifest;
import org.weir.analysis.job.JobSummary.Run;
import org.weir.analysis.judge.Finding;
import org.weir.analysis.judge.RunJudgement;
import org.weir.analysis.judge.Severity;
import org.weir.analysis.judge.Verdict;
import org.weir.analysis.load.LoadState;
import org.weir.analysis.load.LoadSummary;
import org.weir.analysis.log.LogState;
import org.weir.analysis.log.Module;
import org.weir.analysis.run.RunFeatures;
import org.weir.analysis.slowness.References;

/** What is known of a run whose processes were killed, by how many of their logs are merged. */
class KilledRunTest {
  private static final LoadSummary BUSY =
      new LoadSummary(LoadState.CLOSED, 1, 1, 0.9, 0.9, 9e12, 1.0, 9e12);

  /** One of four processes wrote 1,000 times 1 MiB in 50 s, all opened a second file. */
  private static TestLog killed(long processes) {
    TestLog log = new TestLog(4).killed(processes);
    log.add(
        posix("/scratch/a", 0)
            .with("OPENS", 1)
            .with("WRITES", 1000)
            .with("SIZE_WRITE_100K_1M", 1000)
            .with("ACCESS1_ACCESS", MIB)
            .with("ACCESS1_COUNT", 1000)
            .with("BYTES_WRITTEN", 1000 * MIB)
            .with("F_WRITE_TIME", 50)
            .with("F_META_TIME", 2.5));
    for (int rank = 0; rank < 4; rank++) {
      log.add(
          posix("/scratch/shared", rank)
              .with("OPENS", 1)
              .with("READS", 1)
              .with("BYTES_READ", 300)
              .with("F_READ_TIME", 0.25));
    }
    return log;
  }

  private static RunJudgement judge(TestLog log) {
    return judge(log.features());
  }

  private static RunJudgement judge(RunFeatures run) {
    return RunJudgement.of(
        run, 2, "batch", BUSY, Baseline.NONE, new References(), SITE, ShippedRules.RULES);
  }

  @Test
  void ofAllProcessesIsCountedExactly() {
    RunFeatures run = killed(4).features();
    assertThat(run.logState()).isEqualTo(LogState.KILLED);
    Map<String, Double> expected =
        Map.of(
            "mapped_processes", 4.0,
            "bytes_written", 1000.0 * MIB,
            "bytes_read", 1200.0,
            "opens", 5.0,
            "shared_files", 1.0,
            "unique_files", 1.0,
            // rank 0 by itself: 50 + 2.5 + 0.25
            "io_time_seconds", 52.75,
            "metadata_seconds_per_process", 2.5,
            "mpiio_bytes", 0.0);
    expected.forEach(
        (name, value) ->
            assertThat(run.feature(name))
                .isEqualTo(new Feature(name, value, EvidenceClass.EXACT, false)));
    // (1000 MiB)^2 / sum of squares
    assertThat(run.value("posix_effective_ranks_upper")).isBetween(1.0, 1.00001);
    assertThat(run.traits()).contains("P", "shared_file").doesNotContain("M", "partial_log");
  }

  @Test
  void ofAllProcessesHasFindingsAndNoShareCostOrVerdict() {
    RunFeatures run = killed(4).features();
    assertThat(run.value("run_time_seconds")).isNull();
    assertThat(run.value("io_share")).isNull();
    RunJudgement judgement = judge(run);
    Finding rank0 =
        judgement.findings().stream()
            .filter(finding -> finding.ruleId().equals("rank0_io"))
            .findFirst()
            .orElseThrow();
    assertThat(rank0.evidenceClass()).isEqualTo(EvidenceClass.EXACT);
    assertThat(rank0.severity()).isEqualTo(Severity.INFO);
    assertThat(judgement.cost().slow()).isNull();
    assertThat(judgement.cost().timeLostSeconds()).isNull();
    assertThat(judgement.cost().nodeHoursLost()).isNull();
    assertThat(judgement.verdict())
        .isEqualTo(Verdict.unknown("the run was killed: how long it took is not known"));
    assertThat(judgement.unknowable()).doesNotContain("load_imbalance", "small_io", "straggler");
  }

  /** Little I/O would be "not slow" of any other run. */
  @Test
  void isNotCalledNotSlow() {
    TestLog little = new TestLog(4).killed(4).add(posix("/scratch/a", 0).with("F_READ_TIME", 0.1));
    assertThat(judge(little).verdict().value()).isEqualTo(Verdict.Value.UNKNOWN);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 3, 5})
  void ofOtherThanAllProcessesIsNotJudged(long processes) {
    RunFeatures run = killed(processes).features();
    assertThat(run.logState()).isEqualTo(LogState.UNFINISHED);
    assertThat(run.feature("bytes_written").evidence()).isEqualTo(EvidenceClass.LOWER_BOUND);
    assertThat(run.feature("mpiio_bytes").evidence()).isEqualTo(EvidenceClass.LOWER_BOUND);
    assertThat(run.traits()).contains("partial_log").doesNotContain("M");
    RunJudgement judgement = judge(run);
    assertThat(judgement.findings()).isEmpty();
    assertThat(judgement.unknowable()).contains("rank0_io", "load_imbalance");
    assertThat(judgement.verdict().reason())
        .isEqualTo(
            "the run was killed, and the logs of %d of its 4 processes are there"
                .formatted(processes));
  }

  @Test
  void isNotJudgedBeforeAllPartsHaveArrived() {
    TestLog log = killed(4);
    for (boolean withEnd : List.of(true, false)) {
      RunFeatures run =
          FeatureComputer.compute(
              log.header(), withEnd ? log.end() : null, true, log.accumulator(), SITE);
      assertThat(run.logState()).isEqualTo(LogState.INCOMPLETE);
      assertThat(judge(run).findings()).isEmpty();
    }
  }

  @Test
  void aPartialModuleIsALowerBoundAndWeakensNoOther() {
    RunFeatures run =
        killed(4)
            .add(mpiio("/scratch/m", 0).with("BYTES_WRITTEN", 7))
            .state(Module.MPIIO, "partial")
            .features();
    assertThat(run.logState()).isEqualTo(LogState.KILLED);
    assertThat(run.feature("mpiio_bytes").evidence()).isEqualTo(EvidenceClass.LOWER_BOUND);
    assertThat(run.feature("posix_bytes").evidence()).isEqualTo(EvidenceClass.EXACT);
  }

  /** Records of another rank may be there twice. */
  @Test
  void whatIsSuspectIsNotEvenALowerBound() {
    RunFeatures run = killed(3).state(Module.POSIX, "suspect").features();
    assertThat(run.logState()).isEqualTo(LogState.UNFINISHED);
    assertThat(run.feature("posix_bytes").isKnown()).isFalse();
  }

  @Test
  void isNeitherAReferenceNorHistory() {
    assertThat(EarlierRun.of("id", killed(4).features())).isNull();
  }

  @Test
  void aJobThatLeftNothingElseIsKilledInTheCoverageLedger() {
    Run all = new Run("a", killed(4).features(), judge(killed(4)), true);
    Run some = new Run("b", killed(2).features(), judge(killed(2)), true);
    Run whole = new Run("b", new TestLog(4).features(), judge(new TestLog(4)), true);
    assertThat(coverage(List.of(all)))
        .isEqualTo(
            new Coverage(Coverage.State.KILLED, "what its processes did until then is known"));
    assertThat(coverage(List.of(all, some)).state()).isEqualTo(Coverage.State.PARTIAL);
    assertThat(coverage(List.of(all, whole)).state()).isEqualTo(Coverage.State.PARTIAL);
    assertThat(coverage(List.of(some)).state()).isEqualTo(Coverage.State.PARTIAL);
  }

  private static Coverage coverage(List<Run> runs) {
    Manifest manifest = new Manifest(true, runs.stream().map(Run::logId).toList());
    Job job = new Job("TIMEOUT", 3, 2, 0L, 60_000_000L);
    return JobSummary.of(job, manifest, runs, Map.of()).coverage();
  }
}
