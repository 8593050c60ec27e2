package org.weir.analysis.job;

import java.util.Collection;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;
import org.weir.wire.JobManifest;
import org.weir.wire.SchedulerJob;

/** Chooses the manifest that belongs to a submit of a job id. */
public final class Manifests {

  private Manifests() {}

  /**
   * Returns the newest manifest of a submit: one that names it, or one that names none and is of a
   * scan in its time, which is from its start to the start of the next submit of the same id. Where
   * there is none, the oldest later one: a requeued job may run again before its logs are scanned,
   * and that scan then finds the logs of all its submits.
   *
   * @return null if there is none
   */
  public static @Nullable JobManifest of(
      SchedulerJob job, Collection<SchedulerJob> submits, Collection<JobManifest> manifests) {
    Comparator<JobManifest> byTime = Comparator.comparingLong(JobManifest::getScanTime);
    return manifests.stream()
        .filter(m -> belongs(m, job, submits))
        .max(byTime)
        .or(() -> manifests.stream().filter(m -> isLater(m, job)).min(byTime))
        .orElse(null);
  }

  private static boolean isLater(JobManifest manifest, SchedulerJob job) {
    return manifest.getJobUid() == null && begin(job) <= manifest.getScanTime();
  }

  private static boolean belongs(
      JobManifest manifest, SchedulerJob job, Collection<SchedulerJob> submits) {
    if (manifest.getJobUid() != null) {
      return manifest.getJobUid().equals(job.getJobUid());
    }
    long looked = manifest.getScanTime();
    return submits.size() == 1
        || begin(job) <= looked
            && submits.stream().noneMatch(s -> begin(s) > begin(job) && begin(s) <= looked);
  }

  private static long begin(SchedulerJob job) {
    return job.getStartTime() == null ? job.getSubmitTime() : job.getStartTime();
  }
}
