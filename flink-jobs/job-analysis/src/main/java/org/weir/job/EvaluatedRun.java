package org.weir.job;

import java.util.List;
import org.weir.analysis.JobSummary;
import org.weir.analysis.Joins;
import org.weir.analysis.LoadState;
import org.weir.analysis.RunFeatures;
import org.weir.analysis.RunJudgement;
import org.weir.wire.SchedulerJob;
import org.weir.wire.Version;

/**
 * Everything said of a run with what is known now: a pure function of the inputs.
 *
 * @param job null unless joined
 */
record EvaluatedRun(
    RunSummary run,
    RunFeatures features,
    LoadFacts load,
    Joins.Join join,
    SchedulerJob job,
    RunJudgement judgement,
    int revision,
    long version) {

  /**
   * Evaluates a run.
   *
   * @param submits all known with its cluster and job id
   * @param joinWaitOver no further submit is awaited
   */
  static EvaluatedRun of(
      RunSummary run,
      LoadFacts load,
      List<SchedulerJob> submits,
      boolean joinWaitOver,
      Control control) {
    Joins.Join join =
        Joins.join(
            run.forJoin(), submits.stream().map(EvaluatedRun::forJoin).toList(), joinWaitOver);
    SchedulerJob job =
        submits.stream().filter(s -> s.getJobUid().equals(join.jobUid())).findFirst().orElse(null);
    RunFeatures features = run.readFeatures();
    RunJudgement judgement =
        RunJudgement.of(
            features,
            job == null ? null : job.getNodes(),
            job == null ? null : job.getPartition(),
            load.summary(),
            control.references(run.cluster),
            control.site(run.cluster),
            control.rules());
    int revision = control.revision(run.cluster);
    long version = version(run, load, join, job, revision);
    return new EvaluatedRun(run, features, load, join, job, judgement, revision, version);
  }

  private static Joins.Submit forJoin(SchedulerJob job) {
    return new Joins.Submit(job.getJobUid(), job.getUid(), job.getStartTime(), job.getEndTime());
  }

  private static long version(
      RunSummary run, LoadFacts load, Joins.Join join, SchedulerJob job, int revision) {
    return Version.ofRun(
        revision,
        run.batchesAnalysed,
        run.batchesExpected,
        rankAndWaits(load, join, job),
        load.bucketsClosed,
        load.bucketsExpected,
        Math.max(run.endTime / 1_000_000, job == null ? 0 : job.getVersion()));
  }

  /**
   * The scheduler's rank and, below it, which waits are over: "waiting" and "not joinable" differ
   * in content and therefore must differ in version, and nothing else of the inputs tells them
   * apart.
   */
  private static int rankAndWaits(LoadFacts load, Joins.Join join, SchedulerJob job) {
    int rank = job == null ? 0 : job.getStateRank();
    boolean joinGivenUp = job == null && join.state() != Joins.State.WAITING;
    boolean loadGivenUp = load.waitOver && load.summary().state() != LoadState.CLOSED;
    return rank << 2 | (joinGivenUp ? 2 : 0) | (loadGivenUp ? 1 : 0);
  }

  /** Newest Unix second behind it, for the version of the job's result. */
  long endSecond() {
    return run.endTime / 1_000_000;
  }

  JobSummary.Run forSummary() {
    return new JobSummary.Run(
        run.logId, features, judgement, load.summary().isFinal(load.waitOver));
  }
}
