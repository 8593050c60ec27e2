package org.weir.job;

import java.util.List;
import org.weir.analysis.Baseline;
import org.weir.analysis.JobSummary;
import org.weir.analysis.Joins;
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
   * @param features of the run
   * @param submits all known with its cluster and job id
   * @param joinWaitOver no further submit is awaited
   */
  static EvaluatedRun of(
      RunSummary run,
      RunFeatures features,
      LoadFacts load,
      Baseline baseline,
      List<SchedulerJob> submits,
      boolean joinWaitOver,
      Control control) {
    Joins.Join join =
        Joins.join(
            run.forJoin(), submits.stream().map(EvaluatedRun::forJoin).toList(), joinWaitOver);
    SchedulerJob job =
        submits.stream().filter(s -> s.getJobUid().equals(join.jobUid())).findFirst().orElse(null);
    RunJudgement judgement =
        RunJudgement.of(
            features,
            job == null ? null : job.getNodes(),
            job == null ? null : job.getPartition(),
            load.summary(),
            baseline,
            control.references(run.cluster),
            control.site(run.cluster),
            control.rules());
    int revision = control.revision(run.cluster);
    boolean givenUp = job == null && join.state() != Joins.State.WAITING;
    long version =
        Version.ofRun(
            revision,
            Knowledge.ofLog(run),
            Knowledge.ofSubmits(submits, givenUp),
            Knowledge.ofLoad(load),
            baseline.runs(),
            Knowledge.seconds(submits) + load.ticks);
    return new EvaluatedRun(run, features, load, join, job, judgement, revision, version);
  }

  /** It is not joined and no longer waits to be. */
  boolean isGivenUp() {
    return job == null && join.state() != Joins.State.WAITING;
  }

  private static Joins.Submit forJoin(SchedulerJob job) {
    return new Joins.Submit(job.getJobUid(), job.getUid(), job.getStartTime(), job.getEndTime());
  }

  JobSummary.Run forSummary() {
    return new JobSummary.Run(
        run.logId, features, judgement, load.summary().isFinal(load.waitOver));
  }
}
