package org.weir.flink.clickhouse;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A column type of ClickHouse's Native format, as far as Weir's tables use them.
 *
 * <p>Values come as Java objects: any {@link Number} for the numeric types (unsigned ones as the
 * same bits), microseconds since the epoch for DateTime64(6), {@link Boolean} or a number for
 * UInt8, {@link CharSequence} or {@link ByteBuffer} for String, {@link List} for Array, {@link Map}
 * for Map; null only for Nullable.
 */
public abstract class NativeType {

  private final String name;

  private NativeType(String name) {
    this.name = name;
  }

  /**
   * The type that ClickHouse writes so.
   *
   * @throws IllegalArgumentException if this writer does not know it
   */
  public static NativeType of(String name) {
    if (name.startsWith("Nullable(")) {
      return new NullableType(name, of(inner(name)));
    }
    if (name.startsWith("Array(")) {
      return new ArrayType(name, of(inner(name)));
    }
    return switch (name) {
      case "String" -> new StringType();
      case "Map(String, String)" -> new MapType(name);
      case "UInt8" -> new FixedType(name, 1);
      case "UInt16" -> new FixedType(name, 2);
      case "Int32", "UInt32" -> new FixedType(name, 4);
      case "Int64", "UInt64", "Float64", "DateTime64(6, 'UTC')" -> new FixedType(name, 8);
      default -> throw new IllegalArgumentException("Unknown column type " + name);
    };
  }

  /** As ClickHouse writes it. */
  public String name() {
    return name;
  }

  /** Appends one column. */
  abstract void write(LittleEndianBuffer out, List<?> values);

  /** The type's own default; of a plain type what stands in the place of a null. */
  abstract @Nullable Object defaultValue();

  /** Bytes of one value of a packed column, null map apart; 0 if the width varies. */
  int packedWidth() {
    return 0;
  }

  /** Appends what goes before a packed column without nulls: nothing, or a null map of zeros. */
  void writeNoNulls(LittleEndianBuffer out, int rows) {}

  private static String inner(String name) {
    return name.substring(name.indexOf('(') + 1, name.length() - 1);
  }

  private static final class FixedType extends NativeType {
    private final int width;

    FixedType(String name, int width) {
      super(name);
      this.width = width;
    }

    @Override
    void write(LittleEndianBuffer out, List<?> values) {
      boolean isFloat = name().equals("Float64");
      for (Object value : values) {
        if (isFloat) {
          out.putDouble(((Number) value).doubleValue());
        } else {
          writeInteger(
              out, value instanceof Boolean b ? (b ? 1L : 0L) : ((Number) value).longValue());
        }
      }
    }

    private void writeInteger(LittleEndianBuffer out, long value) {
      switch (width) {
        case 1 -> out.putByte((int) value);
        case 2 -> out.putShort((int) value);
        case 4 -> out.putInt((int) value);
        default -> out.putLong(value);
      }
    }

    @Override
    Object defaultValue() {
      return 0L;
    }

    @Override
    int packedWidth() {
      return width;
    }
  }

  private static final class StringType extends NativeType {
    StringType() {
      super("String");
    }

    @Override
    void write(LittleEndianBuffer out, List<?> values) {
      for (Object value : values) {
        if (value instanceof ByteBuffer bytes) {
          out.putVarUInt(bytes.remaining());
          out.putBytes(bytes, 0, bytes.remaining());
        } else {
          out.putString(value.toString());
        }
      }
    }

    @Override
    Object defaultValue() {
      return "";
    }
  }

  private static final class NullableType extends NativeType {
    private final NativeType inner;

    NullableType(String name, NativeType inner) {
      super(name);
      this.inner = inner;
    }

    @Override
    void write(LittleEndianBuffer out, List<?> values) {
      List<@Nullable Object> filled = new ArrayList<>(values.size());
      for (Object value : values) {
        out.putByte(value == null ? 1 : 0);
        filled.add(value == null ? inner.defaultValue() : value);
      }
      inner.write(out, filled);
    }

    @Override
    @Nullable Object defaultValue() {
      return null;
    }

    @Override
    int packedWidth() {
      return inner.packedWidth();
    }

    @Override
    void writeNoNulls(LittleEndianBuffer out, int rows) {
      out.putZeros(rows);
    }
  }

  private static final class ArrayType extends NativeType {
    private final NativeType inner;

    ArrayType(String name, NativeType inner) {
      super(name);
      this.inner = inner;
    }

    @Override
    void write(LittleEndianBuffer out, List<?> values) {
      List<Object> flat = new ArrayList<>();
      for (Object value : values) {
        flat.addAll((List<?>) value);
        out.putLong(flat.size());
      }
      inner.write(out, flat);
    }

    @Override
    Object defaultValue() {
      return List.of();
    }
  }

  private static final class MapType extends NativeType {
    MapType(String name) {
      super(name);
    }

    /** Sorted by key, so that equal maps give equal bytes. */
    @Override
    void write(LittleEndianBuffer out, List<?> values) {
      List<Object> keys = new ArrayList<>();
      List<Object> texts = new ArrayList<>();
      for (Object value : values) {
        Map<?, ?> sorted = new TreeMap<>((Map<?, ?>) value);
        keys.addAll(sorted.keySet());
        texts.addAll(sorted.values());
        out.putLong(keys.size());
      }
      NativeType string = new StringType();
      string.write(out, keys);
      string.write(out, texts);
    }

    @Override
    Object defaultValue() {
      return Map.of();
    }
  }
}
