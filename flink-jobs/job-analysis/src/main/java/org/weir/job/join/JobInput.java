package org.weir.job.join;

import org.jspecify.annotations.Nullable;
import org.weir.job.baseline.BaselineAnswer;
import org.weir.job.load.LoadAnswer;
import org.weir.job.run.RunSummary;

/** What comes to the job join; exactly one of its contents is set. */
public final class JobInput {

  public String cluster;
  public long jobId;
  public @Nullable RunSummary run;
  public @Nullable LoadAnswer load;
  public @Nullable BaselineAnswer baseline;

  /** Message of weir.scheduler.job, decoded where it is used. */
  public byte @Nullable [] submit;

  /** Message of weir.job.manifest, likewise. */
  public byte @Nullable [] manifest;

  /** Kafka timestamp, microseconds. */
  public long sentAt;

  /** Leaves the fields to be set next, as Flink does when it reads one. */
  @SuppressWarnings("NullAway.Init")
  public JobInput() {}

  private static JobInput of(String cluster, long jobId, long sentAt) {
    JobInput input = new JobInput();
    input.cluster = cluster;
    input.jobId = jobId;
    input.sentAt = sentAt;
    return input;
  }

  public static JobInput ofRun(RunSummary run) {
    JobInput input = of(run.cluster, run.jobId, run.sentAt);
    input.run = run;
    return input;
  }

  static JobInput ofLoad(LoadAnswer load) {
    JobInput input = of(load.cluster, load.jobId, 0);
    input.load = load;
    return input;
  }

  public static JobInput ofBaseline(BaselineAnswer baseline) {
    JobInput input = of(baseline.cluster, baseline.jobId, 0);
    input.baseline = baseline;
    return input;
  }

  public static JobInput ofSubmit(String cluster, long jobId, byte[] message, long sentAt) {
    JobInput input = of(cluster, jobId, sentAt);
    input.submit = message;
    return input;
  }

  public static JobInput ofManifest(String cluster, long jobId, byte[] message, long sentAt) {
    JobInput input = of(cluster, jobId, sentAt);
    input.manifest = message;
    return input;
  }
}
