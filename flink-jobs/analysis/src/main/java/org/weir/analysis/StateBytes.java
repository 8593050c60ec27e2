package org.weir.analysis;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;

/** Streams of bytes in memory as java.io has them, but without its lock around every byte. */
final class StateBytes {
  private StateBytes() {}

  static final class Out extends OutputStream {
    private byte[] bytes = new byte[1 << 12];
    private int size;

    @Override
    public void write(int value) {
      room(1);
      bytes[size++] = (byte) value;
    }

    @Override
    public void write(byte[] from, int offset, int length) {
      room(length);
      System.arraycopy(from, offset, bytes, size, length);
      size += length;
    }

    private void room(int more) {
      if (more > bytes.length - size) {
        bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, Math.addExact(size, more)));
      }
    }

    byte[] toByteArray() {
      return Arrays.copyOf(bytes, size);
    }
  }

  static final class In extends InputStream {
    private final byte[] bytes;
    private int position;

    In(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    public int read() {
      return position == bytes.length ? -1 : bytes[position++] & 0xFF;
    }

    @Override
    public int read(byte[] to, int offset, int length) {
      int read = Math.min(length, bytes.length - position);
      System.arraycopy(bytes, position, to, offset, read);
      position += read;
      return read == 0 && length > 0 ? -1 : read;
    }
  }
}
