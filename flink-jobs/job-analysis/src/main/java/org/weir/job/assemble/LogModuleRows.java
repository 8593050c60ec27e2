package org.weir.job.assemble;

import static java.util.Objects.requireNonNull;

import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.weir.flink.clickhouse.RowBlock;
import org.weir.flink.clickhouse.Rows;
import org.weir.wire.LogHeader;
import org.weir.wire.ModuleEnd;
import org.weir.wire.ModuleHeader;

/** How far each module of a log could be read, as rows of log_modules. */
public final class LogModuleRows {

  public static final String TABLE = "log_modules_versions";

  /** The rows of a log id never change. */
  private static final long VERSION = 1;

  private LogModuleRows() {}

  /** Makes the rows of a log with its end; a module that the end does not name is listed only. */
  static Rows of(AssembledLog log) {
    LogHeader header = log.header();
    Map<String, ModuleEnd> ends =
        requireNonNull(log.end(), "the end of the log has not come").getModules().stream()
            .collect(Collectors.toMap(ModuleEnd::getName, Function.identity(), (a, b) -> a));
    RowBlock block = new RowBlock(TABLE);
    for (ModuleHeader module : header.getModules()) {
      ModuleEnd end = ends.get(module.getName());
      block
          .row()
          .set("cluster", header.getCluster())
          .set("log_id", log.logId())
          .set("start_time", header.getStartTime())
          .set("module", module.getName())
          .set("module_version", module.getVersion())
          .set("state", end == null ? "listed" : end.getState())
          .set("records_expected", end == null ? null : end.getRecordsExpected())
          .set("records_read", end == null ? 0L : end.getRecordsRead())
          .set("compressed_bytes", module.getCompressedBytes())
          .set("reason", end == null ? null : end.getReason())
          .set("version", VERSION)
          .set("is_deleted", 0)
          .set("origin", log.origin());
    }
    return block.build(header.getCluster(), log.sentAt());
  }
}
