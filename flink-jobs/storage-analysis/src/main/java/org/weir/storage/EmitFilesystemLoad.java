package org.weir.storage;

import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.weir.flink.clickhouse.Rows;

/** A file system's bucket as a row and as a message. */
final class EmitFilesystemLoad extends ProcessFunction<FilesystemLoad, Rows> {

  private static final long serialVersionUID = 1L;
  private transient LoadMessages messages;

  @Override
  public void open(OpenContext context) {
    messages = new LoadMessages();
  }

  @Override
  public void processElement(FilesystemLoad load, Context context, Collector<Rows> out) {
    out.collect(LoadRows.ofFilesystem(load));
    load.moved.forEach(device -> out.collect(LoadRows.ofDevices(device, device.packed())));
    context.output(StorageAnalysisJob.LOADS, messages.of(load));
    context.output(StorageAnalysisJob.FILESYSTEM_HOURS, HourPart.of(load));
  }
}
