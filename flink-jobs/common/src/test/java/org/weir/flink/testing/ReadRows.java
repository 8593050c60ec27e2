package org.weir.flink.testing;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.weir.flink.clickhouse.Rows;
import org.weir.flink.clickhouse.Table;

/**
 * Reads blocks of the Native format back, independently of how they are written: UInt8, UInt16 and
 * the 32-bit types as Integer, the 64-bit ones as Long or Double.
 */
public final class ReadRows {

  private ReadRows() {}

  /** Rows of one table in the order in which they were emitted: column to value. */
  public static List<Map<String, Object>> of(Collection<Rows> blocks, String table) {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (Rows block : blocks) {
      if (block.table.equals(table)) {
        rows.addAll(read(block));
      }
    }
    return rows;
  }

  /** All columns that a writer has to set. */
  public static Set<String> columnsToSet(String table) {
    Set<String> columns = new TreeSet<>(Table.named(table).columns());
    columns.remove("landed_at");
    return columns;
  }

  /** What a view would show: by identity the row with the highest version, origin apart. */
  public static Map<String, Map<String, Object>> newestByIdentity(Collection<Rows> blocks) {
    Map<String, Map<String, Object>> newest = new TreeMap<>();
    for (Rows block : blocks) {
      for (Map<String, Object> row : read(block)) {
        row.remove("origin");
        String identity = identity(block.table, row);
        Map<String, Object> known = newest.get(identity);
        if (known == null || Long.compareUnsigned(version(row), version(known)) >= 0) {
          newest.put(identity, row);
        }
      }
    }
    return newest;
  }

  private static String identity(String table, Map<String, Object> row) {
    StringBuilder identity = new StringBuilder(table);
    for (String column :
        List.of(
            "log_id",
            "module",
            "rule_id",
            "record_id",
            "rank",
            "BIN",
            "device_id",
            "time",
            "bucket_start",
            "hour_start",
            "event_id")) {
      if (row.containsKey(column)) {
        identity.append(' ').append(row.get(column));
      }
    }
    // A run's job can change; where there is no log the job is the identity.
    if (!row.containsKey("log_id") && row.containsKey("job_uid")) {
      identity.append(' ').append(row.get("job_uid"));
    }
    if (table.startsWith("server_load") || table.startsWith("device_load_hourly")) {
      identity.append(' ').append(row.get("server"));
    }
    if (table.startsWith("filesystem_load")) {
      identity.append(' ').append(row.get("filesystem"));
    }
    return identity.toString();
  }

  private static long version(Map<String, Object> row) {
    return (Long) row.get("version");
  }

  private static List<Map<String, Object>> read(Rows block) {
    return readAll(block.block);
  }

  /** The rows of blocks one behind the other, as an insert carries them. */
  public static List<Map<String, Object>> readAll(byte[] blocks) {
    ByteBuffer in = ByteBuffer.wrap(blocks).order(ByteOrder.LITTLE_ENDIAN);
    List<Map<String, Object>> rows = new ArrayList<>();
    while (in.hasRemaining()) {
      rows.addAll(readBlock(in));
    }
    return rows;
  }

  private static List<Map<String, Object>> readBlock(ByteBuffer in) {
    int columns = varInt(in);
    int rows = varInt(in);
    List<Map<String, Object>> read = new ArrayList<>();
    for (int row = 0; row < rows; row++) {
      read.add(new LinkedHashMap<>());
    }
    for (int column = 0; column < columns; column++) {
      String name = string(in);
      List<Object> values = values(in, string(in), rows);
      for (int row = 0; row < rows; row++) {
        read.get(row).put(name, values.get(row));
      }
    }
    return read;
  }

  private static List<Object> values(ByteBuffer in, String type, int rows) {
    if (type.startsWith("Nullable(")) {
      byte[] nulls = new byte[rows];
      in.get(nulls);
      List<Object> values = values(in, type.substring(9, type.length() - 1), rows);
      for (int row = 0; row < rows; row++) {
        if (nulls[row] != 0) {
          values.set(row, null);
        }
      }
      return values;
    }
    if (type.startsWith("Array(")) {
      return slices(in, rows, offset -> values(in, type.substring(6, type.length() - 1), offset));
    }
    if (type.startsWith("Map(")) {
      return slices(
          in,
          rows,
          count -> {
            List<Object> keys = values(in, "String", count);
            List<Object> texts = values(in, "String", count);
            List<Object> pairs = new ArrayList<>();
            for (int i = 0; i < count; i++) {
              pairs.add(Map.entry(keys.get(i), texts.get(i)));
            }
            return pairs;
          });
    }
    List<Object> values = new ArrayList<>(rows);
    for (int row = 0; row < rows; row++) {
      values.add(value(in, type));
    }
    return values;
  }

  private interface Flat {
    List<Object> read(int count);
  }

  private static List<Object> slices(ByteBuffer in, int rows, Flat flat) {
    long[] ends = new long[rows];
    for (int row = 0; row < rows; row++) {
      ends[row] = in.getLong();
    }
    List<Object> all = rows == 0 ? Collections.emptyList() : flat.read((int) ends[rows - 1]);
    List<Object> values = new ArrayList<>();
    int start = 0;
    for (long end : ends) {
      values.add(new ArrayList<>(all.subList(start, (int) end)));
      start = (int) end;
    }
    return values;
  }

  private static Object value(ByteBuffer in, String type) {
    return switch (type) {
      case "String" -> string(in);
      case "UInt8" -> Byte.toUnsignedInt(in.get());
      case "UInt16" -> Short.toUnsignedInt(in.getShort());
      case "Int32", "UInt32" -> in.getInt();
      case "Float64" -> in.getDouble();
      default -> in.getLong();
    };
  }

  private static String string(ByteBuffer in) {
    byte[] bytes = new byte[varInt(in)];
    in.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static int varInt(ByteBuffer in) {
    int value = 0;
    for (int shift = 0; ; shift += 7) {
      byte next = in.get();
      value |= (next & 0x7F) << shift;
      if (next >= 0) {
        return value;
      }
    }
  }
}
