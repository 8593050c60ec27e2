package org.weir.analysis.state;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * State as bytes: what the accumulators and features of a run are kept as. The first byte is the
 * number of the format. Numbers are big-endian; packed ones take 7 bits a byte, the lowest first.
 *
 * <p>What is written must be read by all later versions of the program. A list of counters may grow
 * at its end without a new format: it is written with its size, and what a state lacks is read as
 * unavailable. For everything else that is added the format is raised.
 */
public final class StateBytes {
  private static final VarHandle SHORT = view(short[].class);
  private static final VarHandle INT = view(int[].class);
  private static final VarHandle LONG = view(long[].class);
  private static final int BITS = 7;
  private static final int MORE = 0x80;

  /** Every whole number below is a double. */
  private static final long MOST_WHOLE = 1L << 53;

  private StateBytes() {}

  private static VarHandle view(Class<?> type) {
    return MethodHandles.byteArrayViewVarHandle(type, ByteOrder.BIG_ENDIAN);
  }

  public static final class Out {
    private byte[] bytes = new byte[1 << 12];
    private int size;

    /** Bytes that begin with the number of their format. */
    public Out(int format) {
      writeByte(format);
    }

    /** Makes room for more bytes; returns where they begin. */
    private int room(int more) {
      int at = size;
      size = Math.addExact(size, more);
      if (size > bytes.length) {
        bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size));
      }
      return at;
    }

    public void writeByte(int value) {
      int at = room(1);
      bytes[at] = (byte) value;
    }

    public void writeBoolean(boolean value) {
      writeByte(value ? 1 : 0);
    }

    public void writeShort(int value) {
      int at = room(Short.BYTES);
      SHORT.set(bytes, at, (short) value);
    }

    public void writeInt(int value) {
      int at = room(Integer.BYTES);
      INT.set(bytes, at, value);
    }

    public void writeLong(long value) {
      int at = room(Long.BYTES);
      LONG.set(bytes, at, value);
    }

    public void writeDouble(double value) {
      writeLong(Double.doubleToLongBits(value));
    }

    /** Most counters of most files are small. */
    public void writePacked(long value) {
      long rest = value;
      while ((rest & -MORE) != 0) {
        writeByte((int) (rest & (MORE - 1)) | MORE);
        rest >>>= BITS;
      }
      writeByte((int) rest);
    }

    /** Most numbers are whole, and small: these are packed, others follow a 0. */
    public void writeNumber(double value) {
      long whole = (long) value;
      boolean packs =
          whole >= 0 && whole < MOST_WHOLE && Double.valueOf(value).equals((double) whole);
      writePacked(packs ? whole + 1 : 0);
      if (!packs) {
        writeDouble(value);
      }
    }

    public void writeBytes(byte[] from, int offset, int length) {
      int at = room(length);
      System.arraycopy(from, offset, bytes, at, length);
    }

    public void writeText(String value) {
      byte[] text = value.getBytes(StandardCharsets.UTF_8);
      writeShort(text.length);
      writeBytes(text, 0, text.length);
    }

    public byte[] toByteArray() {
      return Arrays.copyOf(bytes, size);
    }
  }

  /** Beyond the end it throws an IndexOutOfBoundsException: the bytes are damaged. */
  public static final class In {
    private final byte[] bytes;
    private int position;

    /**
     * Reads the number of the format.
     *
     * @param what the bytes are, for the message
     * @throws IllegalArgumentException if the format is older or newer than those that are known
     */
    public In(byte[] bytes, String what, int oldest, int newest) {
      this.bytes = bytes;
      int format = readByte();
      if (format < oldest || format > newest) {
        throw new IllegalArgumentException(
            "%s: format %d, this version of the program reads %d to %d"
                .formatted(what, format, oldest, newest));
      }
    }

    private int skip(int length) {
      int at = position;
      position += length;
      return at;
    }

    public byte readByte() {
      return bytes[skip(1)];
    }

    public boolean readBoolean() {
      return readByte() != 0;
    }

    public short readShort() {
      return (short) SHORT.get(bytes, skip(Short.BYTES));
    }

    public int readInt() {
      return (int) INT.get(bytes, skip(Integer.BYTES));
    }

    public long readLong() {
      return (long) LONG.get(bytes, skip(Long.BYTES));
    }

    public double readDouble() {
      return Double.longBitsToDouble(readLong());
    }

    public long readPacked() {
      long value = 0;
      for (int shift = 0; shift < Long.SIZE; shift += BITS) {
        byte next = readByte();
        value |= (long) (next & (MORE - 1)) << shift;
        if (next >= 0) {
          break;
        }
      }
      return value;
    }

    public double readNumber() {
      long whole = readPacked();
      return whole == 0 ? readDouble() : (double) (whole - 1);
    }

    public void readBytes(byte[] to, int offset, int length) {
      System.arraycopy(bytes, skip(length), to, offset, length);
    }

    public String readText() {
      int length = Short.toUnsignedInt(readShort());
      return new String(bytes, skip(length), length, StandardCharsets.UTF_8);
    }

    public boolean isAtEnd() {
      return position == bytes.length;
    }
  }
}
