package org.weir.flink.clickhouse;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Builds one block of ClickHouse's Native format: number of columns, number of rows, then each
 * column as name, type and values. Packed columns are copied, not read value by value.
 */
public final class NativeBlock {

  private final Table table;
  private final int rows;
  private final List<String> columns = new ArrayList<>();
  private final LittleEndianBuffer body;

  /**
   * An empty block.
   *
   * @param expectedBytes a guess at its size
   */
  public NativeBlock(Table table, int rows, int expectedBytes) {
    this.table = table;
    this.rows = rows;
    this.body = new LittleEndianBuffer(expectedBytes);
  }

  /** A column of values, one a row. */
  public NativeBlock column(String name, List<?> values) {
    if (values.size() != rows) {
      throw new IllegalArgumentException(
          "Column " + name + " has " + values.size() + " values for " + rows + " rows");
    }
    NativeType type = header(name);
    try {
      type.write(body, values);
    } catch (RuntimeException e) {
      throw new IllegalArgumentException(
          "Column "
              + table.name()
              + "."
              + name
              + " of type "
              + type.name()
              + " cannot take its value",
          e);
    }
    return this;
  }

  /** A column with the same value in every row. */
  public NativeBlock constant(String name, @Nullable Object value) {
    return column(name, Collections.nCopies(rows, value));
  }

  /**
   * A column without nulls that is already packed.
   *
   * @param source little-endian values; its position is not changed
   * @param offset in bytes, of the column's first value
   * @throws IllegalArgumentException if the column is not of a fixed width
   */
  public NativeBlock packed(String name, ByteBuffer source, int offset) {
    NativeType type = header(name);
    if (type.packedWidth() == 0) {
      throw new IllegalArgumentException("Column " + name + " has no fixed width: " + type.name());
    }
    type.writeNoNulls(body, rows);
    body.putBytes(source, offset, rows * type.packedWidth());
    return this;
  }

  /**
   * The finished block.
   *
   * @param cluster for the measured delay
   * @param oldestSentAt Kafka timestamp of the oldest message behind the rows, microseconds
   */
  public Rows build(String cluster, long oldestSentAt) {
    byte[] values = body.toBytes();
    LittleEndianBuffer block = new LittleEndianBuffer(values.length + 16);
    block.putVarUInt(columns.size());
    block.putVarUInt(rows);
    block.putBytes(values, 0, values.length);
    return new Rows(
        table.name(), cluster, columns.toArray(String[]::new), rows, oldestSentAt, block.toBytes());
  }

  private NativeType header(String name) {
    NativeType type = table.type(name);
    columns.add(name);
    body.putString(name);
    body.putString(type.name());
    return type;
  }
}
