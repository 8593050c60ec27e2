package org.weir.job;

import org.weir.analysis.Baseline;
import org.weir.analysis.JobSummary;
import org.weir.analysis.Joins;
import org.weir.analysis.RunFeatures;
import org.weir.analysis.RunJudgement;
import org.weir.wire.SchedulerJob;

/** Everything said of a run with what is known now: a pure function of the inputs. */
record EvaluatedRun(JoinedRun joined, RunFeatures features, RunJudgement judgement) {

  /**
   * Evaluates a run.
   *
   * @param features of the run
   */
  static EvaluatedRun of(
      JoinedRun joined, RunFeatures features, Baseline baseline, Control control) {
    SchedulerJob job = joined.job();
    String cluster = joined.run().cluster;
    RunJudgement judgement =
        RunJudgement.of(
            features,
            job == null ? null : job.getNodes(),
            job == null ? null : job.getPartition(),
            joined.load().summary(),
            baseline,
            control.references(cluster),
            control.site(cluster),
            control.rules());
    return new EvaluatedRun(joined, features, judgement);
  }

  RunSummary run() {
    return joined.run();
  }

  Joins.Join join() {
    return joined.join();
  }

  /** Null unless joined. */
  SchedulerJob job() {
    return joined.job();
  }

  int revision() {
    return joined.revision();
  }

  long version() {
    return joined.version();
  }

  boolean isDecided() {
    return joined.isDecided();
  }

  boolean isGivenUp() {
    return joined.isGivenUp();
  }

  JobSummary.Run forSummary() {
    LoadFacts load = joined.load();
    return new JobSummary.Run(
        run().logId, features, judgement, load.summary().isFinal(load.waitOver));
  }
}
