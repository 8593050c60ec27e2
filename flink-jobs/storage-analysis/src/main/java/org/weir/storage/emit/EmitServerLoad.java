package org.weir.storage.emit;

import java.nio.ByteBuffer;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.weir.flink.clickhouse.Rows;
import org.weir.load.bucket.ServerBucket;

/** A server's bucket as rows and as a message. */
public final class EmitServerLoad extends ProcessFunction<ServerBucket, Rows> {

  private static final long serialVersionUID = 1L;
  private transient LoadEncoder messages;

  @Override
  public void open(OpenContext context) {
    messages = new LoadEncoder();
  }

  @Override
  public void processElement(ServerBucket bucket, Context context, Collector<Rows> out) {
    out.collect(LoadRows.ofServer(bucket));
    ByteBuffer devices = bucket.packed();
    out.collect(LoadRows.ofDevices(bucket, devices));
    context.output(LoadEncoder.TAG, messages.of(bucket, devices));
  }
}
