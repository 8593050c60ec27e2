package org.weir.job;

import java.util.Collection;
import java.util.Comparator;
import org.weir.wire.JobManifest;
import org.weir.wire.SchedulerJob;

/** Which manifest belongs to which submit of a job id. */
final class Manifests {

  private Manifests() {}

  /**
   * The newest manifest of a submit: one that names it, or one that names none and was looked up in
   * its time, which is from its start to the start of the next submit of the same id.
   *
   * @return null if there is none
   */
  static JobManifest of(
      SchedulerJob job, Collection<SchedulerJob> submits, Collection<JobManifest> manifests) {
    return manifests.stream()
        .filter(m -> belongs(m, job, submits))
        .max(Comparator.comparingLong(JobManifest::getScanTime))
        .orElse(null);
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
