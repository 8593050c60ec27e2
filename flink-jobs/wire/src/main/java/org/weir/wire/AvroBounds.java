package org.weir.wire;

import org.apache.avro.Schema;
import org.jspecify.annotations.NullMarked;

/**
 * Checks that the lengths and counts in Avro's binary encoding are of bytes that the message has.
 * Avro allocates what a length claims before it reads: a message of 15 bytes can claim gigabytes.
 * After the check, decoding allocates in proportion to the message.
 *
 * <p>It holds for schemas in which each item of an array or map takes at least one byte.
 */
@NullMarked
final class AvroBounds {
  private static final int INT_BYTES = 5;
  private static final int LONG_BYTES = 10;

  private final byte[] bytes;
  private int position;

  private AvroBounds(byte[] bytes, int position) {
    this.bytes = bytes;
    this.position = position;
  }

  /**
   * Walks the body of a message, which begins at {@code start}, by the schema that it was written
   * with.
   *
   * @throws WireException if it ends too early or too late, or a number in it is out of its range
   */
  static void check(Schema schema, byte[] bytes, int start) throws WireException {
    AvroBounds walk = new AvroBounds(bytes, start);
    walk.value(schema);
    if (walk.position != bytes.length) {
      throw walk.refusal((bytes.length - walk.position) + " bytes too many");
    }
  }

  private void value(Schema schema) throws WireException {
    switch (schema.getType()) {
      case NULL -> {}
      case BOOLEAN -> skip(1);
      case INT -> varint(INT_BYTES);
      case LONG -> varint(LONG_BYTES);
      case FLOAT -> skip(Float.BYTES);
      case DOUBLE -> skip(Double.BYTES);
      case FIXED -> skip(schema.getFixedSize());
      case BYTES, STRING -> skip(varint(LONG_BYTES));
      case ENUM -> index(schema.getEnumSymbols().size());
      case UNION -> value(schema.getTypes().get(index(schema.getTypes().size())));
      case ARRAY -> items(schema.getElementType(), false);
      case MAP -> items(schema.getValueType(), true);
      case RECORD -> {
        for (Schema.Field field : schema.getFields()) {
          value(field.schema());
        }
      }
    }
  }

  /** Blocks of items, each with its count before it; a negative count is followed by a size. */
  private void items(Schema item, boolean keyed) throws WireException {
    for (long count = varint(LONG_BYTES); count != 0; count = varint(LONG_BYTES)) {
      if (count < 0) {
        count = -count;
        varint(LONG_BYTES);
      }
      if (count < 0 || count > bytes.length - position) {
        throw refusal("a count of " + count + " items");
      }
      for (long i = 0; i < count; i++) {
        if (keyed) {
          skip(varint(LONG_BYTES));
        }
        value(item);
      }
    }
  }

  private int index(int size) throws WireException {
    long index = varint(INT_BYTES);
    if (index < 0 || index >= size) {
      throw refusal("an index of " + index + " into " + size);
    }
    return (int) index;
  }

  private void skip(long length) throws WireException {
    if (length < 0 || length > bytes.length - position) {
      throw refusal("a length of " + length);
    }
    position += (int) length;
  }

  /** A number of 7 bits a byte, the low ones first, zigzag; at most so many bytes long. */
  private long varint(int most) throws WireException {
    long value = 0;
    for (int i = 0; i < most && position < bytes.length; i++) {
      byte next = bytes[position++];
      value |= (next & 0x7FL) << 7 * i;
      if (next >= 0) {
        return value >>> 1 ^ -(value & 1);
      }
    }
    throw refusal("a number without an end");
  }

  private WireException refusal(String what) {
    return new WireException(what + " at byte " + position + " of " + bytes.length);
  }
}
