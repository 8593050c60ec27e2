package org.weir.flink.clickhouse;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Builds a block row by row, for tables that get few rows at a time. */
public final class RowBlock {

  private final Table table;
  private final Map<String, List<@Nullable Object>> columns = new LinkedHashMap<>();
  private int rows;

  public RowBlock(String table) {
    this.table = Table.named(table);
  }

  /** Starts the next row; every row must set the same columns. */
  public RowBlock row() {
    rows++;
    return this;
  }

  /** Sets a column of the current row. */
  public RowBlock set(String column, @Nullable Object value) {
    columns.computeIfAbsent(column, c -> new ArrayList<>()).add(value);
    return this;
  }

  public boolean isEmpty() {
    return rows == 0;
  }

  /** See {@link NativeBlock#build}. */
  public Rows build(String cluster, long oldestSentAt) {
    NativeBlock block = new NativeBlock(table, rows, 64 * columns.size() * rows);
    columns.forEach(block::column);
    return block.build(cluster, oldestSentAt);
  }

  /** The values so far, for tests and for comparing contents: column name to values. */
  public Map<String, List<@Nullable Object>> values() {
    return Collections.unmodifiableMap(columns);
  }
}
