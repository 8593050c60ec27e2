package org.weir.job.evaluate;

import org.jspecify.annotations.Nullable;
import org.weir.analysis.compare.Baseline;
import org.weir.analysis.job.JobSummary;
import org.weir.analysis.job.LogJobJoin;
import org.weir.analysis.judge.RunJudgement;
import org.weir.analysis.report.RunReport;
import org.weir.analysis.run.RunFeatures;
import org.weir.job.control.Control;
import org.weir.job.run.LoadFacts;
import org.weir.job.run.RunSummary;
import org.weir.site.Site;
import org.weir.wire.SchedulerJob;

/** Everything said of a run with what is known now: a pure function of the inputs. */
public record EvaluatedRun(
    JoinedRun joined, RunFeatures features, RunJudgement judgement, Site site) {

  /**
   * Evaluates a run.
   *
   * @param features of the run
   */
  static EvaluatedRun of(
      JoinedRun joined, RunFeatures features, Baseline baseline, Control control) {
    SchedulerJob job = joined.job();
    String cluster = joined.run().cluster;
    Site site = control.site(cluster);
    RunJudgement judgement =
        RunJudgement.of(
            features,
            job == null ? null : job.getNodes(),
            job == null ? null : job.getPartition(),
            joined.load().summary(),
            baseline,
            control.references(cluster),
            site,
            control.rules());
    return new EvaluatedRun(joined, features, judgement, site);
  }

  public RunSummary run() {
    return joined.run();
  }

  public LogJobJoin.Join join() {
    return joined.join();
  }

  /** Null unless joined. */
  public @Nullable SchedulerJob job() {
    return joined.job();
  }

  public int revision() {
    return joined.revision();
  }

  public long version() {
    return joined.version();
  }

  public boolean isDecided() {
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

  /** Names of files are in no state of the job: its table has them. */
  public RunReport report() {
    return new RunReport(
        new RunReport.Subject(
            run().logId,
            run().fileName,
            run().exe,
            run().cluster,
            run().jobId,
            joined.join().jobUid(),
            run().uid,
            run().startTime,
            run().logVersion,
            site,
            recordId -> null),
        features,
        judgement);
  }
}
