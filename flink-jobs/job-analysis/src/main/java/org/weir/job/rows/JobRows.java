package org.weir.job.rows;

import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.weir.analysis.job.JobSummary;
import org.weir.flink.clickhouse.RowBlock;
import org.weir.job.evaluate.EvaluatedJob;
import org.weir.job.evaluate.EvaluatedRun;
import org.weir.wire.SchedulerJob;

/** Writes a job's result as a row. */
public final class JobRows {

  private JobRows() {}

  public static RowBlock row(EvaluatedJob evaluated) {
    SchedulerJob job = evaluated.job();
    JobSummary summary = evaluated.summary();
    return new RowBlock("job_results_versions")
        .row()
        .set("cluster", job.getCluster())
        .set("job_uid", job.getJobUid())
        .set("job_id", job.getJobId())
        .set("user", job.getUser())
        .set("account", job.getAccount())
        .set("partition", job.getPartition())
        .set("job_name", job.getJobName())
        .set("state", job.getState())
        .set("submit_time", job.getSubmitTime())
        .set("start_time", job.getStartTime())
        .set("end_time", job.getEndTime())
        .set("nodes", job.getNodes())
        .set("settled", summary.settled())
        .set("logs_analysed", summary.logsAnalysed())
        .set("logs_expected", summary.logsExpected())
        .set("bytes_read", whole(summary.bytesRead()))
        .set("bytes_written", whole(summary.bytesWritten()))
        .set("io_time_seconds", summary.ioTimeSeconds())
        .set("node_hours", summary.nodeHours())
        .set("node_hours_lost", summary.nodeHoursLost())
        .set("verdict", summary.verdict().value().text())
        .set("verdict_reason", summary.verdict().reason())
        .set("coverage", summary.coverage().state().text())
        .set("coverage_reason", summary.coverage().reason())
        .set("findings", summary.findings())
        .set("traits", summary.traits())
        .set("executables", distinct(evaluated, run -> run.run().exe))
        .set("filesystems", distinct(evaluated, run -> run.features().filesystem()))
        .set("revision", evaluated.revision())
        .set("version", evaluated.version())
        .set("is_deleted", 0)
        .set("origin", job.getOrigin());
  }

  private static List<String> distinct(
      EvaluatedJob evaluated, Function<EvaluatedRun, @Nullable String> name) {
    return evaluated.runs().stream()
        .map(name)
        .filter(Objects::nonNull)
        .distinct()
        .sorted()
        .toList();
  }

  private static @Nullable Long whole(@Nullable Double value) {
    return value == null ? null : Long.valueOf(Math.round(value));
  }
}
