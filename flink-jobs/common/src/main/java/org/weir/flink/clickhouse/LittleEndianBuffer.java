package org.weir.flink.clickhouse;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A growing buffer of little-endian values, the byte order of ClickHouse's Native format. */
final class LittleEndianBuffer {

  private ByteBuffer buffer;

  LittleEndianBuffer(int expectedBytes) {
    buffer = allocate(Math.max(64, expectedBytes));
  }

  void putByte(int value) {
    room(1).put((byte) value);
  }

  void putShort(int value) {
    room(2).putShort((short) value);
  }

  void putInt(int value) {
    room(4).putInt(value);
  }

  void putLong(long value) {
    room(8).putLong(value);
  }

  void putDouble(double value) {
    room(8).putDouble(value);
  }

  /** A run of zero bytes. */
  void putZeros(int count) {
    room(count).position(buffer.position() + count);
  }

  void putBytes(byte[] source, int offset, int length) {
    room(length).put(source, offset, length);
  }

  /** A part of a buffer, whose position and limit stay as they are. */
  void putBytes(ByteBuffer source, int offset, int length) {
    room(length).put(source.slice(source.position() + offset, length));
  }

  /** LEB128, as ClickHouse writes counts and lengths. */
  void putVarUInt(long value) {
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      putByte((int) (rest & 0x7F) | 0x80);
      rest >>>= 7;
    }
    putByte((int) rest);
  }

  /** UTF-8 with its length in bytes before it. */
  void putString(String value) {
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    putVarUInt(bytes.length);
    putBytes(bytes, 0, bytes.length);
  }

  byte[] toBytes() {
    return Arrays.copyOf(buffer.array(), buffer.position());
  }

  private ByteBuffer room(int bytes) {
    if (buffer.remaining() < bytes) {
      int needed = Math.addExact(buffer.position(), bytes);
      int doubled = (int) Math.min(Integer.MAX_VALUE - 16L, 2L * buffer.capacity());
      ByteBuffer larger = allocate(Math.max(needed, doubled));
      buffer = larger.put(buffer.flip());
    }
    return buffer;
  }

  private static ByteBuffer allocate(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
