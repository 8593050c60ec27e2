package org.weir.job.decode;

import static java.util.Objects.requireNonNull;

import org.apache.flink.util.OutputTag;
import org.weir.flink.clickhouse.RowBlock;
import org.weir.flink.clickhouse.Rows;
import org.weir.flink.kafka.DecodeFunction;
import org.weir.flink.kafka.Emissions;
import org.weir.flink.kafka.EventTime;
import org.weir.flink.kafka.KafkaMessage;
import org.weir.job.control.JobSettings;
import org.weir.job.evaluate.InputVersions;
import org.weir.job.join.JobInput;
import org.weir.wire.SchedulerJob;
import org.weir.wire.WireException;

/** Messages of weir.scheduler.job to rows and to inputs of the job join. */
public final class DecodeSchedulerJobs extends DecodeFunction<SchedulerJob, JobInput> {

  public static final OutputTag<Rows> ROWS = new OutputTag<>("scheduler-job-rows") {};

  private static final long serialVersionUID = 1L;
  private static final int HIGHEST_RANK = 3;

  public DecodeSchedulerJobs() {
    super(SchedulerJob.class, JobSettings.JOB);
  }

  @Override
  protected String clusterOf(SchedulerJob job) {
    return job.getCluster();
  }

  @Override
  protected void accept(SchedulerJob job, KafkaMessage from, Emissions<JobInput> out)
      throws WireException {
    if (job.getStateRank() < 0 || job.getStateRank() > HIGHEST_RANK) {
      throw new WireException(
          "job " + job.getJobUid() + ": state_rank " + job.getStateRank() + ", expected 0 to 3");
    }
    EventTime.check("submit_time", job.getSubmitTime(), from);
    out.output(ROWS, rows(job, from.sentAt));
    out.collect(
        JobInput.ofSubmit(
            job.getCluster(), job.getJobId(), requireNonNull(from.value), from.sentAt));
  }

  private static Rows rows(SchedulerJob job, long sentAt) {
    return new RowBlock("scheduler_jobs_versions")
        .row()
        .set("cluster", job.getCluster())
        .set("job_uid", job.getJobUid())
        .set("job_id", job.getJobId())
        .set("job_display_id", job.getJobDisplayId())
        .set("array_id", job.getArrayId())
        .set("array_index", job.getArrayIndex())
        .set("user", job.getUser())
        .set("uid", job.getUid())
        .set("account", job.getAccount())
        .set("partition", job.getPartition())
        .set("qos", job.getQos())
        .set("job_name", job.getJobName())
        .set("state", job.getState())
        .set("state_rank", job.getStateRank())
        .set("exit_code", job.getExitCode())
        .set("exit_signal", job.getExitSignal())
        .set("submit_time", job.getSubmitTime())
        .set("start_time", job.getStartTime())
        .set("end_time", job.getEndTime())
        .set("nodes", job.getNodes())
        .set("cpus", job.getCpus())
        .set("node_list", job.getNodeList())
        .set("time_limit_seconds", job.getTimeLimitSeconds())
        .set("version", InputVersions.of(job))
        .set("is_deleted", 0)
        .set("origin", job.getOrigin())
        .build(job.getCluster(), sentAt);
  }
}
