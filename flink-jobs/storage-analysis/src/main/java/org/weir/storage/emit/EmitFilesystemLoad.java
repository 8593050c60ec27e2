package org.weir.storage.emit;

import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;
import org.weir.flink.clickhouse.Rows;
import org.weir.load.bucket.FilesystemLoad;
import org.weir.storage.hours.HourPart;

/** A file system's bucket as a row and as a message. */
public final class EmitFilesystemLoad extends ProcessFunction<FilesystemLoad, Rows> {

  public static final OutputTag<HourPart> HOURS = new OutputTag<>("filesystem-hours") {};

  private static final long serialVersionUID = 1L;
  private transient LoadEncoder messages;

  @Override
  public void open(OpenContext context) {
    messages = new LoadEncoder();
  }

  @Override
  public void processElement(FilesystemLoad load, Context context, Collector<Rows> out) {
    out.collect(LoadRows.ofFilesystem(load));
    load.moved.forEach(device -> out.collect(LoadRows.ofDevices(device, device.packed())));
    context.output(LoadEncoder.TAG, messages.of(load));
    context.output(HOURS, HourPart.of(load));
  }
}
