package org.weir.analysis;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** Longs of the state, 7 bits a byte: most counters of most files are small. */
final class PackedLong {
  private static final int BITS = 7;
  private static final int MORE = 0x80;

  private PackedLong() {}

  static void write(DataOutput out, long value) throws IOException {
    long rest = value;
    while ((rest & -MORE) != 0) {
      out.writeByte((int) (rest & (MORE - 1)) | MORE);
      rest >>>= BITS;
    }
    out.writeByte((int) rest);
  }

  static long read(DataInput in) throws IOException {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += BITS) {
      byte next = in.readByte();
      value |= (long) (next & (MORE - 1)) << shift;
      if (next >= 0) {
        break;
      }
    }
    return value;
  }
}
