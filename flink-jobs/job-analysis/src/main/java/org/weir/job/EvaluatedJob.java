package org.weir.job;

import java.util.Comparator;
import java.util.List;
import org.weir.analysis.JobSummary;
import org.weir.wire.JobManifest;
import org.weir.wire.SchedulerJob;
import org.weir.wire.Version;

/**
 * Everything said of a job with what is known now: a pure function of the inputs.
 *
 * @param runs joined to it, by log id
 */
record EvaluatedJob(
    SchedulerJob job, List<EvaluatedRun> runs, JobSummary summary, int revision, long version) {

  /**
   * Evaluates a job.
   *
   * @param manifest its newest; null before the first look
   * @param runs joined to it, in any order
   * @param knowledge of everything around its job id
   * @param seconds likewise
   */
  static EvaluatedJob of(
      SchedulerJob job,
      JobManifest manifest,
      List<EvaluatedRun> runs,
      int knowledge,
      long seconds,
      Control control) {
    List<EvaluatedRun> sorted =
        runs.stream().sorted(Comparator.comparing(r -> r.run().logId)).toList();
    JobSummary summary =
        JobSummary.of(
            new JobSummary.Job(
                job.getState(),
                job.getStateRank(),
                job.getNodes(),
                job.getStartTime(),
                job.getEndTime()),
            manifest == null
                ? null
                : new JobSummary.Manifest(manifest.getFinal$(), manifest.getLogIds()),
            sorted.stream().map(EvaluatedRun::forSummary).toList());
    int revision = control.revision(job.getCluster());
    long version = Version.ofJobResult(revision, knowledge, seconds);
    return new EvaluatedJob(job, sorted, summary, revision, version);
  }
}
