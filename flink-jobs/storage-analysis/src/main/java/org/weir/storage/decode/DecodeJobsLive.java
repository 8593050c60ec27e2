package org.weir.storage.decode;

import java.nio.ByteBuffer;
import org.weir.flink.clickhouse.NativeBlock;
import org.weir.flink.clickhouse.Rows;
import org.weir.flink.clickhouse.Table;
import org.weir.flink.kafka.DecodeFunction;
import org.weir.flink.kafka.Emissions;
import org.weir.flink.kafka.EventTime;
import org.weir.flink.kafka.KafkaMessage;
import org.weir.storage.control.StorageSettings;
import org.weir.wire.JobLive;
import org.weir.wire.WireException;

/** Messages of weir.job.live to rows of job_live, with their columns copied as they are. */
public final class DecodeJobsLive extends DecodeFunction<JobLive, Rows> {

  private static final long serialVersionUID = 1L;

  private static final Table TABLE = Table.named("job_live_versions");

  /** A look never changes. */
  private static final long VERSION = 1;

  public DecodeJobsLive() {
    super(JobLive.class, StorageSettings.JOB);
  }

  @Override
  protected String clusterOf(JobLive look) {
    return look.getCluster();
  }

  @Override
  protected void accept(JobLive look, KafkaMessage from, Emissions<Rows> out) throws WireException {
    EventTime.check("time", look.getTime(), from);
    check(look);
    out.collect(rows(look, from.sentAt));
  }

  private static void check(JobLive look) throws WireException {
    String where = "job " + look.getJobId() + " on server " + look.getServer();
    int rows = look.getTargets().size();
    if (rows == 0 || look.getJobKeys().size() != rows) {
      throw new WireException(
          where + ": " + look.getJobKeys().size() + " job_keys for " + rows + " targets");
    }
    LustreColumns.check(where, rows, look.getColumns(), look.getValues());
  }

  private static Rows rows(JobLive look, long sentAt) {
    int rows = look.getTargets().size();
    ByteBuffer values = look.getValues();
    NativeBlock block =
        new NativeBlock(TABLE, rows, values.remaining() + 200 * rows + 512)
            .constant("cluster", look.getCluster())
            .constant("job_id", look.getJobId())
            .constant("array_index", look.getArrayIndex())
            .constant("server", look.getServer())
            .column("target", look.getTargets())
            .column("job_key", look.getJobKeys())
            .constant("time", look.getTime())
            .constant("version", VERSION)
            .constant("is_deleted", 0)
            .constant("origin", look.getOrigin());
    LustreColumns.copy(block, rows, look.getColumns(), values);
    return block.build(look.getCluster(), sentAt);
  }
}
