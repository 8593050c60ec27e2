package org.weir.job.evaluate;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.weir.analysis.job.JobSummary;
import org.weir.job.control.Control;
import org.weir.wire.JobManifest;
import org.weir.wire.SchedulerJob;
import org.weir.wire.Version;

/**
 * Everything said of a job with what is known now: a pure function of the inputs.
 *
 * @param runs joined to it, by log id
 */
public record EvaluatedJob(
    SchedulerJob job, List<EvaluatedRun> runs, JobSummary summary, int revision, long version) {

  /**
   * Evaluates a job.
   *
   * @param manifest its newest; null before the first look
   * @param runs of its cluster and job id, in any order
   * @param superseded ids of logs that others supersede: nothing is awaited of them
   * @param completeness of everything around its job id
   */
  public static EvaluatedJob of(
      SchedulerJob job,
      @Nullable JobManifest manifest,
      List<EvaluatedRun> runs,
      Set<String> superseded,
      Completeness.OfJob completeness,
      Control control) {
    List<EvaluatedRun> own =
        runs.stream()
            .filter(run -> job.getJobUid().equals(run.join().jobUid()))
            .sorted(Comparator.comparing(run -> run.run().logId))
            .toList();
    Set<String> notAwaited = new HashSet<>(superseded);
    runs.stream()
        .filter(run -> run.join().jobUid() != null && !own.contains(run))
        .forEach(run -> notAwaited.add(run.run().logId));
    Map<String, String> unjoined = new TreeMap<>();
    runs.stream()
        .filter(EvaluatedRun::isGivenUp)
        .forEach(run -> unjoined.put(run.run().logId, run.join().reason()));
    JobSummary summary =
        JobSummary.of(
            JobSummary.Job.of(job),
            manifest == null
                ? null
                : new JobSummary.Manifest(
                    manifest.getFinal$(),
                    manifest.getLogIds().stream().filter(id -> !notAwaited.contains(id)).toList()),
            own.stream().map(EvaluatedRun::forSummary).toList(),
            unjoined);
    int revision = control.revision(job.getCluster());
    Version version =
        new Version.OfJobResult(
            revision, completeness.submits(), completeness.logs(), completeness.rest());
    return new EvaluatedJob(job, own, summary, revision, version.bits());
  }
}
