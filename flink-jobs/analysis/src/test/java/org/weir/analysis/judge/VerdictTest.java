package org.weir.analysis.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.weir.analysis.TestLog.MIB;
import static org.weir.analysis.TestLog.SITE;
import static org.weir.analysis.TestLog.posix;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.weir.analysis.ShippedRules;
import org.weir.analysis.TestLog;
import org.weir.analysis.compare.Baseline;
import org.weir.analysis.evidence.EvidenceClass;
import org.weir.analysis.load.LoadState;
import org.weir.analysis.load.LoadSummary;
import org.weir.analysis.log.LogState;
import org.weir.analysis.log.Module;
import org.weir.analysis.ruleengine.RuleSet;
import org.weir.analysis.run.RunFeatures;
import org.weir.analysis.slowness.Cost;
import org.weir.analysis.slowness.References;
import org.weir.wire.Reference;

class VerdictTest {
  private static final References NONE = new References();

  /** A run on 2 nodes of 500 MiB/s at best: 1,000 MiB need 2 s. */
  private static TestLog run(double ioTime, double runTime) {
    return new TestLog(32)
        .runTime(runTime)
        .add(
            posix("/scratch/a", 0)
                .with("BYTES_WRITTEN", 1_000 * MIB)
                .with("F_WRITE_TIME", ioTime)
                .with("WRITES", 10));
  }

  private static LoadSummary load(LoadState state, double util, double others) {
    double own = 1_000.0 * MIB;
    return new LoadSummary(
        state,
        4,
        state == LoadState.CLOSED ? 4 : 1,
        util,
        util,
        own + others * MIB,
        own,
        others * MIB);
  }

  private static RunJudgement judge(TestLog log, Integer nodes, LoadSummary load, RuleSet rules) {
    return judge(log, nodes, load, Baseline.NONE, rules);
  }

  private static RunJudgement judge(
      TestLog log, Integer nodes, LoadSummary load, Baseline baseline, RuleSet rules) {
    return RunJudgement.of(log.features(), nodes, "batch", load, baseline, NONE, SITE, rules);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // rules hold, load, util, others' MiB, verdict, reason
        "true  | CLOSED     | 0.5  | 0    | APPLICATION | found load_imbalance, rank0_io; the storage was quiet",
        "true  | CLOSED     | 0.5  | 1999 | APPLICATION | found load_imbalance, rank0_io; the storage was quiet",
        "true  | CLOSED     | 0.5  | 2000 | BOTH        | others moved 2000 MiB",
        "false | CLOSED     | 0.5  | 2000 | STORAGE     | others moved 2000 MiB",
        "false | CLOSED     | 0.8  | 200  | STORAGE     | devices busy 80 %",
        "false | CLOSED     | 0.79 | 200  | UNKNOWN     | no pattern found and the storage was quiet",
        "false | CLOSED     | 1.0  | 0    | UNKNOWN     | no pattern found and the storage was quiet",
        "false | CLOSED     | 1.0  | 50   | UNKNOWN     | no pattern found and the storage was quiet",
        "true  | WAITING    | 0.5  | 0    | UNKNOWN     | waiting for the storage samples",
        "true  | INCOMPLETE | 0.5  | 0    | UNKNOWN     | storage samples are missing: 1 of 4 buckets",
        "true  | NO_SAMPLES | 0.5  | 0    | UNKNOWN     | no storage samples of this time, or only ones longer than 1.5 load buckets",
      })
  void ofASlowRun(
      boolean holds,
      LoadState state,
      double util,
      double others,
      Verdict.Value value,
      String reason) {
    RuleSet rules = holds ? ShippedRules.RULES : RuleSet.empty();
    RunJudgement judgement = judge(run(40, 100), 2, load(state, util, others), rules);
    assertThat(judgement.cost().slow()).isTrue();
    assertThat(judgement.verdict().value()).isEqualTo(value);
    assertThat(judgement.verdict().reason()).contains(reason);
  }

  /** 1,000 MiB in 40 s, 2 s at the site's peak; 30 s lost are slow: 32 s at 31.25 MiB/s. */
  @ParameterizedTest
  @CsvSource({
    "5, 31.3, STORAGE",
    "5, 31.2, BOTH",
    "4, 31.3, BOTH",
  })
  void earlierRunsThatWereNotSlowAcquitThePattern(int runs, double median, Verdict.Value value) {
    Baseline baseline = new Baseline(runs, 1L, median, median);
    LoadSummary busy = load(LoadState.CLOSED, 0.5, 2_000);
    RunJudgement judgement = judge(run(40, 100), 2, busy, baseline, ShippedRules.RULES);
    assertThat(judgement.verdict().value()).isEqualTo(value);
    RunJudgement quiet =
        judge(run(40, 100), 2, load(LoadState.CLOSED, 0.5, 0), baseline, ShippedRules.RULES);
    assertThat(quiet.verdict().value()).isEqualTo(Verdict.Value.APPLICATION);
  }

  @Test
  void theTimeLostIsWhatTheReferenceDoesNotNeed() {
    Cost cost = judge(run(40, 100), 2, load(LoadState.CLOSED, 0, 0), RuleSet.empty()).cost();
    assertThat(cost.runNodes()).isEqualTo(2);
    assertThat(cost.referenceSource()).isEqualTo(Cost.Source.SITE_PEAK);
    assertThat(cost.timeLostSeconds()).isEqualTo(38);
    assertThat(cost.nodeHoursLost()).isEqualTo(38 * 2 / 3600.0);
    assertThat(cost.mibPerSecondPerNode()).isEqualTo(12.5);
  }

  /** The site's thresholds are 30 s and 5 %; without nodes the I/O time is the most to lose. */
  @ParameterizedTest
  @CsvSource({
    "29.9, 100, INFO",
    "30, 100, NOTICE",
    "30, 601, INFO",
    "599, 1000, NOTICE",
    "600, 1000, WARNING",
    "600, 2401, NOTICE",
  })
  void withoutNodesTheIoTimeGivesTheSeverity(double ioTime, double runTime, Severity severity) {
    RunFeatures run = run(ioTime, runTime).features();
    assertThat(Severity.withoutNodes(run, TestLog.SITE)).isEqualTo(severity);
  }

  @ParameterizedTest
  @CsvSource({
    "31.9, 100, false",
    "32, 100, true",
    "42, 800, true",
    "41.9, 800, false",
    "1, 100, false",
  })
  void slowNeedsBothThresholds(double ioTime, double runTime, boolean slow) {
    RunJudgement judgement =
        judge(run(ioTime, runTime), 2, load(LoadState.CLOSED, 0, 0), RuleSet.empty());
    assertThat(judgement.cost().slow()).isEqualTo(slow);
    assertThat(judgement.verdict().value() == Verdict.Value.NOT_SLOW).isEqualTo(!slow);
  }

  @Test
  void littleIoTimeIsNotSlowEvenWithoutAReference() {
    LoadSummary none = load(LoadState.NO_SAMPLES, 0, 0);
    assertThat(judge(run(29.9, 100), null, none, RuleSet.empty()).verdict().value())
        .isEqualTo(Verdict.Value.NOT_SLOW);
    assertThat(judge(run(49, 1_000), null, none, RuleSet.empty()).verdict().reason())
        .startsWith("only 49.0 s of a run time of 1000.0 s were I/O");
    Verdict unknown = judge(run(50, 1_000), null, none, RuleSet.empty()).verdict();
    assertThat(unknown.value()).isEqualTo(Verdict.Value.UNKNOWN);
    assertThat(unknown.reason()).isEqualTo("no reference rate: the number of nodes is not known");
  }

  @Test
  void nothingIsFoundInWhatAKilledProcessLeft() {
    TestLog killed =
        new TestLog(4)
            .unfinished()
            .add(
                posix("/scratch/a", 0)
                    .with("WRITES", 100_000)
                    .with("SIZE_WRITE_0_100", 100_000)
                    .with("BYTES_WRITTEN", 1L << 30)
                    .with("F_WRITE_TIME", 50));
    RunFeatures run = killed.features();
    assertThat(run.logState()).isEqualTo(LogState.UNFINISHED);
    assertThat(run.feature("run_time_seconds").isKnown()).isFalse();
    assertThat(run.feature("io_share").isKnown()).isFalse();
    assertThat(run.feature("bytes_moved").evidence()).isEqualTo(EvidenceClass.LOWER_BOUND);
    assertThat(run.endTime()).isEqualTo(run.startTime());
    LoadSummary quiet = load(LoadState.CLOSED, 0, 0);
    RunJudgement judgement = judge(killed, 2, quiet, ShippedRules.RULES);
    assertThat(judgement.findings()).isEmpty();
    assertThat(judgement.unknowable()).contains("rank0_io", "load_imbalance", "small_io");
    assertThat(judgement.cost().timeLostSeconds()).isNull();
    assertThat(judgement.verdict().reason())
        .isEqualTo("the log is unfinished: the time spent in I/O is not known");
  }

  @Test
  void anIncompleteOrUnusableLogIsUnknown() {
    LoadSummary quiet = load(LoadState.CLOSED, 0, 0);
    TestLog partial = run(1, 100).state(Module.POSIX, "partial");
    assertThat(judge(partial, 2, quiet, RuleSet.empty()).verdict().reason())
        .isEqualTo("the log is partial: the time spent in I/O is not known");
    assertThat(judge(run(-1, 100), 2, quiet, RuleSet.empty()).verdict().reason())
        .isEqualTo("the log's I/O times are not usable");
    TestLog tmp = new TestLog(4).add(posix("/tmp/a", 0).with("F_READ_TIME", 50));
    assertThat(judge(tmp, 2, LoadSummary.noFilesystem(), RuleSet.empty()).verdict().reason())
        .contains("moved nothing on a file system that is judged");
  }

  @Test
  void aPublishedReferenceGoesBeforeThePeakAndIsNotFromTheFuture() {
    References references = new References();
    int day = (int) (TestLog.START / 86_400_000_000L);
    references.put(new Reference("demo", "scratch", "write", 0, day - 3, 20L, 10.0));
    references.put(new Reference("demo", "scratch", "write", 0, day - 1, 20L, 50.0));
    references.put(new Reference("demo", "scratch", "write", 0, day + 1, 20L, 99.0));
    references.put(new Reference("demo", "scratch", "read", 0, day, 20L, 77.0));
    Cost cost = Cost.of(run(40, 100).features(), 2, "batch", SITE, references);
    assertThat(cost.referenceMibPerSecondPerNode()).isEqualTo(50);
    assertThat(cost.referenceSource()).isEqualTo(Cost.Source.HISTORY);
    assertThat(cost.timeLostSeconds()).isEqualTo(30);
  }

  @ParameterizedTest
  @CsvSource({"4, 32, 16, 2", "1, 32, 16, 1", "4, 33, 16, 3", "4, 1, 16, 1"})
  void runNodes(int nodes, long nprocs, int cores, int expected) {
    assertThat(Cost.runNodes(nodes, nprocs, cores)).isEqualTo(expected);
    assertThat(Cost.runNodes(null, nprocs, cores)).isNull();
    assertThat(Cost.runNodes(nodes, nprocs, null)).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "true, 0.9, 90, INFO",
    "true, 1, 90, NOTICE",
    "true, 10, 24, WARNING",
    "true, 10, 25, CRITICAL",
    "true, 100, 5, CRITICAL",
    "false, 100, 90, INFO",
    ", 100, 90, INFO",
  })
  void severityIsCost(Boolean slow, double nodeHours, double lost, Severity expected) {
    Cost cost = new Cost(1, 1, null, null, Cost.Source.NONE, "", lost, nodeHours, slow);
    assertThat(Severity.of(cost, 100, org.weir.analysis.ruleengine.SeverityThresholds.DEFAULT))
        .isEqualTo(expected);
  }
}
