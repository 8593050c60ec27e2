package org.weir.wire;

import static java.util.Objects.requireNonNull;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Packed columns of a message by name: 8 bytes a value, little-endian, column after column, no
 * copy. A column reads the message's own buffer, so it lives as long as the message does.
 */
@NullMarked
public final class PackedColumns {
  private final int rows;
  private final Map<String, LongColumn> longs;
  private final Map<String, DoubleColumn> doubles;
  private final @Nullable LongColumn recordIds;
  private final @Nullable LongColumn ranks;

  private PackedColumns(
      int rows,
      Map<String, LongColumn> longs,
      Map<String, DoubleColumn> doubles,
      @Nullable LongColumn recordIds,
      @Nullable LongColumn ranks) {
    this.rows = rows;
    this.longs = longs;
    this.doubles = doubles;
    this.recordIds = recordIds;
    this.ranks = ranks;
  }

  /**
   * Counters of the records in a batch.
   *
   * @throws WireException if a column's bytes do not fit the number of rows
   */
  public static PackedColumns of(LogBatch batch) throws WireException {
    int rows = batch.getRows();
    String where = "batch " + batch.getNumber() + " of module " + batch.getModule();
    if (rows < 0 || batch.getNames().size() != rows) {
      throw new WireException(
          where + ": " + batch.getNames().size() + " names for " + rows + " rows");
    }
    return new PackedColumns(
        rows,
        longs(where + ", ints", batch.getInts(), batch.getIntNames(), rows),
        doubles(where + ", floats", batch.getFloats(), batch.getFloatNames(), rows),
        new LongColumn(values(where + ", record_ids", batch.getRecordIds(), 1, rows), 0),
        new LongColumn(values(where + ", ranks", batch.getRanks(), 1, rows), 0));
  }

  /**
   * Values of the devices in a server's tick; a row is a device.
   *
   * @throws WireException if a column's bytes do not fit the number of devices
   */
  public static PackedColumns of(DeviceSample sample) throws WireException {
    String where = "sample of server " + sample.getServer() + " at " + sample.getTime();
    return ofDevices(where, sample.getValues(), sample.getColumns(), sample.getDeviceIds());
  }

  /**
   * Values of the devices in a server's load bucket; a row is a device.
   *
   * @throws WireException if a column's bytes do not fit the number of devices
   */
  public static PackedColumns of(StorageLoad load) throws WireException {
    String where = "load of " + load.getSubject() + " at " + load.getBucketStart();
    return ofDevices(where, load.getDeviceValues(), load.getDeviceColumns(), load.getDeviceIds());
  }

  private static PackedColumns ofDevices(
      String where, ByteBuffer values, List<String> columns, List<String> devices)
      throws WireException {
    int rows = devices.size();
    return new PackedColumns(rows, Map.of(), doubles(where, values, columns, rows), null, null);
  }

  /** Values laid out as the wire wants them: little-endian, in the order given. */
  public static ByteBuffer pack(double... values) {
    ByteBuffer buffer =
        ByteBuffer.allocate(values.length * Double.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (double value : values) {
      buffer.putDouble(value);
    }
    return buffer.flip();
  }

  /** Values laid out as the wire wants them: little-endian, in the order given. */
  public static ByteBuffer pack(long... values) {
    ByteBuffer buffer =
        ByteBuffer.allocate(values.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (long value : values) {
      buffer.putLong(value);
    }
    return buffer.flip();
  }

  public int rows() {
    return rows;
  }

  /** Returns the column of int64 values with this name; null where the message has none. */
  public @Nullable LongColumn longs(String name) {
    return longs.get(name);
  }

  /** Returns the column of float64 values with this name; null where the message has none. */
  public @Nullable DoubleColumn doubles(String name) {
    return doubles.get(name);
  }

  /** Returns the Darshan record ids of a batch, unsigned; device values have none. */
  public LongColumn recordIds() {
    return requireNonNull(recordIds, "device values have no record ids");
  }

  /** Returns the ranks of a batch, -1 = reduced over all; device values have none. */
  public LongColumn ranks() {
    return requireNonNull(ranks, "device values have no ranks");
  }

  private static Map<String, LongColumn> longs(
      String where, ByteBuffer bytes, List<String> names, int rows) throws WireException {
    ByteBuffer values = values(where, bytes, names.size(), rows);
    Map<String, LongColumn> columns = new HashMap<>();
    for (int i = 0; i < names.size(); i++) {
      columns.put(names.get(i), new LongColumn(values, i * rows * Long.BYTES));
    }
    return columns;
  }

  private static Map<String, DoubleColumn> doubles(
      String where, ByteBuffer bytes, List<String> names, int rows) throws WireException {
    ByteBuffer values = values(where, bytes, names.size(), rows);
    Map<String, DoubleColumn> columns = new HashMap<>();
    for (int i = 0; i < names.size(); i++) {
      columns.put(names.get(i), new DoubleColumn(values, i * rows * Double.BYTES));
    }
    return columns;
  }

  private static ByteBuffer values(String where, ByteBuffer bytes, int columns, int rows)
      throws WireException {
    long expected = (long) columns * rows * Long.BYTES;
    if (bytes.remaining() != expected) {
      throw new WireException(
          where
              + ": expected "
              + expected
              + " bytes for "
              + columns
              + " columns of "
              + rows
              + " rows, found "
              + bytes.remaining());
    }
    return bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
  }

  /** One column of int64 values. */
  public static final class LongColumn {
    private final ByteBuffer values;
    private final int offset;

    private LongColumn(ByteBuffer values, int offset) {
      this.values = values;
      this.offset = offset;
    }

    public long get(int row) {
      return values.getLong(offset + row * Long.BYTES);
    }
  }

  /** One column of float64 values. */
  public static final class DoubleColumn {
    private final ByteBuffer values;
    private final int offset;

    private DoubleColumn(ByteBuffer values, int offset) {
      this.values = values;
      this.offset = offset;
    }

    public double get(int row) {
      return values.getDouble(offset + row * Double.BYTES);
    }
  }
}
