package org.weir.job.decode;

import static java.util.Objects.requireNonNull;

import org.apache.flink.util.OutputTag;
import org.weir.flink.clickhouse.RowBlock;
import org.weir.flink.clickhouse.Rows;
import org.weir.flink.kafka.DecodeFunction;
import org.weir.flink.kafka.Emissions;
import org.weir.flink.kafka.KafkaMessage;
import org.weir.job.control.JobSettings;
import org.weir.job.evaluate.InputVersions;
import org.weir.job.join.JobInput;
import org.weir.wire.JobManifest;

/** Messages of weir.job.manifest to rows and to inputs of the job join. */
public final class DecodeManifests extends DecodeFunction<JobManifest, JobInput> {

  public static final OutputTag<Rows> ROWS = new OutputTag<>("manifest-rows") {};

  private static final long serialVersionUID = 1L;

  public DecodeManifests() {
    super(JobManifest.class, JobSettings.JOB);
  }

  @Override
  protected String clusterOf(JobManifest manifest) {
    return manifest.getCluster();
  }

  @Override
  protected void accept(JobManifest manifest, KafkaMessage from, Emissions<JobInput> out) {
    out.output(ROWS, rows(manifest, from.sentAt));
    out.collect(
        JobInput.ofManifest(
            manifest.getCluster(), manifest.getJobId(), requireNonNull(from.value), from.sentAt));
  }

  private static Rows rows(JobManifest manifest, long sentAt) {
    return new RowBlock("job_manifests_versions")
        .row()
        .set("cluster", manifest.getCluster())
        .set("job_id", manifest.getJobId())
        .set("job_uid", manifest.getJobUid())
        .set("scan_time", manifest.getScanTime())
        .set("final", manifest.getFinal$())
        .set("log_ids", manifest.getLogIds())
        .set("version", InputVersions.of(manifest))
        .set("is_deleted", 0)
        .set("origin", manifest.getOrigin())
        .build(manifest.getCluster(), sentAt);
  }
}
