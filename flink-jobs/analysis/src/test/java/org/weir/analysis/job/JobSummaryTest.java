package org.weir.analysis.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.weir.analysis.TestLog.MIB;
import static org.weir.analysis.TestLog.SITE;
import static org.weir.analysis.TestLog.posix;
import static org.weir.analysis.job.Coverage.State.AWAITED;
import static org.weir.analysis.job.Coverage.State.DAMAGED;
import static org.weir.analysis.job.Coverage.State.INSTRUMENTED;
import static org.weir.analysis.job.Coverage.State.KILLED;
import static org.weir.analysis.job.Coverage.State.NOT_INSTRUMENTED;
import static org.weir.analysis.job.Coverage.State.NOT_STARTED;
import static org.weir.analysis.job.Coverage.State.PARTIAL;
import static org.weir.analysis.job.Coverage.State.RUNNING;
import static org.weir.analysis.job.Coverage.State.UNJOINABLE;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.weir.analysis.ShippedRules;
import org.weir.analysis.TestLog;
import org.weir.analysis.compare.Baseline;
import org.weir.analysis.job.JobSummary.Job;
import org.weir.analysis.job.JobSummary.Manifest;
import org.weir.analysis.job.JobSummary.Run;
import org.weir.analysis.judge.RunJudgement;
import org.weir.analysis.judge.Verdict;
import org.weir.analysis.load.LoadState;
import org.weir.analysis.load.LoadSummary;
import org.weir.analysis.log.Module;
import org.weir.analysis.run.RunFeatures;
import org.weir.analysis.slowness.References;

class JobSummaryTest {
  private static final long MINUTE = 60_000_000;
  private static final Job DONE = new Job("COMPLETED", 3, 2, 0L, 30 * MINUTE);
  private static final Manifest BOTH = new Manifest(true, List.of("a", "b"));

  private static Run run(String logId, double ioTime, boolean loadIsFinal) {
    RunFeatures features =
        new TestLog(32)
            .runTime(100)
            .add(
                posix("/scratch/a", 0)
                    .with("BYTES_WRITTEN", 1_000 * MIB)
                    .with("F_WRITE_TIME", ioTime))
            .features();
    LoadSummary load = new LoadSummary(LoadState.CLOSED, 1, 1, 0.1, 0.1, 0.0, 1.0, 0.0);
    RunJudgement judgement =
        RunJudgement.of(
            features, 2, "batch", load, Baseline.NONE, new References(), SITE, ShippedRules.RULES);
    return new Run(logId, features, judgement, loadIsFinal);
  }

  private static JobSummary of(Job job, Manifest manifest, List<Run> runs) {
    return JobSummary.of(job, manifest, runs, Map.of());
  }

  @Test
  void sumsItsRunsUp() {
    JobSummary job = of(DONE, BOTH, List.of(run("a", 42, true), run("b", 12, true)));
    assertThat(job.settled()).isTrue();
    assertThat(job.bytesWritten()).isEqualTo(2_000 * MIB);
    assertThat(job.ioTimeSeconds()).isEqualTo(54);
    assertThat(job.nodeHours()).isEqualTo(1);
    assertThat(job.nodeHoursLost()).isCloseTo(50 * 2 / 3600.0, within(1e-12));
    assertThat(job.verdict().value())
        .as("of the run that lost most")
        .isEqualTo(Verdict.Value.APPLICATION);
    assertThat(job.findings()).containsExactly("load_imbalance", "rank0_io");
    assertThat(job.traits()).containsExactly("many_logs_one_job");
  }

  @Test
  void theOrderOfTheRunsDoesNotMatter() {
    Run a = run("a", 42.1, true);
    Run b = run("b", 12.2, true);
    Run c = run("c", 33.3, true);
    assertThat(of(DONE, BOTH, List.of(c, a, b))).isEqualTo(of(DONE, BOTH, List.of(a, b, c)));
  }

  /** Neither is slow: 9 s lost or 1 s, whatever the names of the logs. */
  @Test
  void ofRunsThatLostNoNodeHoursTheOneThatLostMostTimeSpeaks() {
    for (List<String> names : List.of(List.of("a", "b"), List.of("b", "a"))) {
      Run more = run(names.get(0), 11, true);
      Run less = run(names.get(1), 3, true);
      assertThat(of(DONE, BOTH, List.of(more, less)).verdict().reason())
          .startsWith("lost 9.0 s of a run time");
    }
  }

  @Test
  void itsLossIsNeverAboveItsOwnNodeHours() {
    Job brief = new Job("COMPLETED", 3, 1, 0L, MINUTE / 10);
    JobSummary job = of(brief, BOTH, List.of(run("a", 90, true)));
    assertThat(job.nodeHoursLost()).isEqualTo(job.nodeHours());
  }

  @Test
  void settlesOnlyWithEverything() {
    List<Run> runs = List.of(run("a", 1, true), run("b", 1, true));
    assertThat(of(DONE, BOTH, runs).settled()).isTrue();
    assertThat(of(new Job("RUNNING", 2, 2, 0L, null), BOTH, runs).settled()).isFalse();
    assertThat(of(DONE, null, runs).settled()).isFalse();
    assertThat(of(DONE, new Manifest(false, BOTH.logIds()), runs).settled()).isFalse();
    assertThat(of(DONE, BOTH, runs.subList(0, 1)).settled()).isFalse();
    List<Run> waiting = List.of(run("a", 1, true), run("b", 1, false));
    assertThat(of(DONE, BOTH, waiting).settled()).isFalse();
  }

  @Test
  void aJobWithoutALogIsSaidSo() {
    Job killed = new Job("TIMEOUT", 3, 2, 0L, MINUTE);
    JobSummary job = of(killed, new Manifest(true, List.of()), List.of());
    assertThat(job.settled()).isTrue();
    assertThat(job.traits()).containsExactly("job_failed", "no_darshan_log");
    assertThat(job.verdict()).isEqualTo(Verdict.unknown("the job left no Darshan log"));
    assertThat(job.bytesRead()).isNull();
    assertThat(of(killed, null, List.of()).verdict().reason())
        .isEqualTo("waiting for the job's logs");
  }

  @Test
  void oneUnknownByteCountMakesTheSumUnknown() {
    RunFeatures broken =
        new TestLog(1).add(posix("/scratch/a", 0).with("BYTES_READ", -1)).features();
    Run first = run("a", 1, true);
    Run second = new Run("b", broken, first.judgement(), true);
    JobSummary job = of(DONE, BOTH, List.of(first, second));
    assertThat(job.bytesRead()).isNull();
    assertThat(job.bytesWritten()).isEqualTo(1_000 * MIB);
  }

  private static Coverage.State coverage(Job job, Manifest manifest, Run... runs) {
    return of(job, manifest, List.of(runs)).coverage().state();
  }

  @Test
  void theCoverageLedgerSaysHowFarAJobIsKnown() {
    Run a = run("a", 1, true);
    Run b = run("b", 1, true);
    Manifest none = new Manifest(true, List.of());
    Job timeout = new Job("TIMEOUT", 3, 2, 0L, MINUTE);
    Job cancelledInTheQueue = new Job("CANCELLED", 3, 2, null, MINUTE);
    assertThat(coverage(new Job("RUNNING", 2, 2, 0L, null), null)).isEqualTo(RUNNING);
    assertThat(coverage(cancelledInTheQueue, none)).isEqualTo(NOT_STARTED);
    assertThat(coverage(DONE, null)).isEqualTo(AWAITED);
    assertThat(coverage(DONE, new Manifest(false, List.of("a")), a)).isEqualTo(AWAITED);
    assertThat(coverage(DONE, BOTH, a)).isEqualTo(AWAITED);
    assertThat(coverage(DONE, BOTH, a, b)).isEqualTo(INSTRUMENTED);
    assertThat(coverage(DONE, none)).isEqualTo(NOT_INSTRUMENTED);
    assertThat(coverage(timeout, none)).isEqualTo(KILLED);
    assertThat(coverage(timeout, BOTH, a, b)).isEqualTo(INSTRUMENTED);
    TestLog log = new TestLog(1).add(posix("/scratch/a", 0)).state(Module.POSIX, "partial");
    assertThat(coverage(DONE, BOTH, a, new Run("b", log.features(), b.judgement(), true)))
        .isEqualTo(PARTIAL);
    log.state(Module.POSIX, "damaged");
    assertThat(coverage(DONE, BOTH, a, new Run("b", log.features(), b.judgement(), true)))
        .isEqualTo(DAMAGED);
  }

  @Test
  void aLogThatIsAnothersSettlesTheJobThatListsIt() {
    JobSummary job = JobSummary.of(DONE, BOTH, List.of(run("a", 1, true)), Map.of("b", "uid 7"));
    assertThat(job.settled()).isTrue();
    assertThat(job.coverage()).isEqualTo(new Coverage(UNJOINABLE, "log b: uid 7"));
    JobSummary other = JobSummary.of(DONE, BOTH, List.of(run("a", 1, true)), Map.of("c", "uid 7"));
    assertThat(other.settled()).isFalse();
  }
}
