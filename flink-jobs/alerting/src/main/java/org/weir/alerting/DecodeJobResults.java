package org.weir.alerting;

import org.weir.alerts.JobFacts;
import org.weir.flink.kafka.DecodeFunction;
import org.weir.flink.kafka.Emissions;
import org.weir.flink.kafka.KafkaMessage;
import org.weir.wire.JobResult;

/** Decodes weir.job.result for the desks of the jobs' users; a job without a user has none. */
final class DecodeJobResults extends DecodeFunction<JobResult, DeskInput> {

  private static final long serialVersionUID = 1L;

  DecodeJobResults() {
    super(JobResult.class, AlertingJob.NAME);
  }

  @Override
  protected String clusterOf(JobResult result) {
    return result.getCluster();
  }

  @Override
  protected void accept(JobResult result, KafkaMessage from, Emissions<DeskInput> out) {
    if (result.getUser() != null) {
      JobFacts job = JobFacts.of(result);
      out.collect(DeskInput.of(result.getCluster(), result.getUser(), job, from.sentAt));
    }
  }
}
