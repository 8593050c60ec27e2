package org.weir.job.decode;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.weir.flink.clickhouse.NativeBlock;
import org.weir.flink.clickhouse.Rows;
import org.weir.flink.clickhouse.Table;
import org.weir.wire.DarshanLogMessage;
import org.weir.wire.LogBatch;
import org.weir.wire.WireException;
import org.yaml.snakeyaml.Yaml;

/** Makes batches rows of the module's table, with the counters copied as they are. */
public final class RecordTables {

  /**
   * As {@code schemas/darshan/modules.yaml} has them; a module without a table is not published.
   */
  private static final Map<String, Table> BY_MODULE = read();

  private static final Set<String> NO_COUNTERS =
      Set.of(
          "cluster",
          "log_id",
          "job_id",
          "start_time",
          "record_id",
          "rank",
          "name",
          "module_version",
          "version",
          "is_deleted",
          "origin",
          "landed_at");

  private static final int MOST_MODULE_VERSION = 0xFFFF;

  /** The rows of a log id never change. */
  private static final long VERSION = 1;

  private RecordTables() {}

  /**
   * The rows of a batch whose columns fit its number of rows.
   *
   * @throws WireException if there is no table for the module or no column for a counter
   */
  public static Rows of(DarshanLogMessage message, LogBatch batch, long sentAt)
      throws WireException {
    Table table = table(batch);
    check(batch, table);
    int rows = batch.getRows();
    ByteBuffer ints = batch.getInts();
    ByteBuffer floats = batch.getFloats();
    int size = ints.remaining() + floats.remaining();
    NativeBlock block =
        new NativeBlock(table, rows, size + size / 8 + 400 * rows + 8192)
            .constant("cluster", batch.getCluster())
            .constant("log_id", message.getLogId())
            .constant("job_id", batch.getJobId())
            .constant("start_time", batch.getStartTime())
            .packed("record_id", batch.getRecordIds(), 0)
            .packed("rank", batch.getRanks(), 0)
            .column("name", batch.getNames())
            .constant("module_version", batch.getModuleVersion())
            .constant("version", VERSION)
            .constant("is_deleted", 0)
            .constant("origin", message.getOrigin());
    copy(block, batch.getIntNames(), ints, rows);
    copy(block, batch.getFloatNames(), floats, rows);
    return block.build(batch.getCluster(), sentAt);
  }

  private static Map<String, Table> read() {
    Map<String, Table> tables = new HashMap<>();
    try (InputStream in = RecordTables.class.getResourceAsStream("modules.yaml")) {
      JsonNode content = new JsonMapper().valueToTree(new Yaml().load(in));
      for (Map.Entry<String, JsonNode> module : content.get("modules").properties()) {
        if (module.getValue().has("table")) {
          tables.put(module.getKey(), Table.named(module.getValue().get("table").asText()));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Map.copyOf(tables);
  }

  private static void copy(NativeBlock block, List<String> names, ByteBuffer values, int rows) {
    for (int i = 0; i < names.size(); i++) {
      block.packed(names.get(i), values, i * rows * Long.BYTES);
    }
  }

  private static Table table(LogBatch batch) throws WireException {
    Table table = BY_MODULE.get(batch.getModule());
    if (table == null) {
      throw new WireException(
          where(batch) + ": no table for this module, expected one of " + BY_MODULE.keySet());
    }
    return table;
  }

  private static void check(LogBatch batch, Table table) throws WireException {
    checkCounters(batch, table, batch.getIntNames(), "Int64");
    checkCounters(batch, table, batch.getFloatNames(), "Float64");
    if (batch.getModuleVersion() < 0 || batch.getModuleVersion() > MOST_MODULE_VERSION) {
      throw new WireException(where(batch) + ": module_version " + batch.getModuleVersion());
    }
  }

  private static void checkCounters(LogBatch batch, Table table, List<String> names, String type)
      throws WireException {
    if (new HashSet<>(names).size() != names.size()) {
      throw new WireException(where(batch) + ": a counter occurs twice in " + names);
    }
    for (String name : names) {
      boolean fits =
          table.columns().contains(name)
              && !NO_COUNTERS.contains(name)
              && table.type(name).name().contains(type);
      if (!fits) {
        throw new WireException(
            where(batch)
                + ": table "
                + table.name()
                + " has no counter "
                + name
                + " of type "
                + type
                + "; a newer decoder needs a newer schema: apply its migration first");
      }
    }
  }

  private static String where(LogBatch batch) {
    return "batch " + batch.getNumber() + " of module " + batch.getModule();
  }
}
