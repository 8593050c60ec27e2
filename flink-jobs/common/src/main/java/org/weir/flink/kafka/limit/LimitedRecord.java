package org.weir.flink.kafka.limit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.DefaultRecord;
import org.apache.kafka.common.utils.ByteUtils;
import org.jspecify.annotations.Nullable;

/**
 * Reads a record of a compressed batch in bounded memory. Of one that is too large only the
 * beginning is kept, with a header that says so: it has its offset and place among its neighbors as
 * any other, and whoever takes it can refuse it.
 */
public final class LimitedRecord {

  /** Bytes of a record, unpacked; twice of what Weir's producers send at most. */
  public static final int MOST_BYTES = 2 << 20;

  /** Header of a record of which only the beginning is here; its value is the size, a number. */
  public static final String CUT = "weir.cut";

  private static final int BYTES_KEPT = 64 * 1024;

  private LimitedRecord() {}

  /** Stands for the method of {@link DefaultRecord} with the same arguments. */
  public static DefaultRecord readFrom(
      InputStream input,
      long baseOffset,
      long baseTimestamp,
      int baseSequence,
      @Nullable Long logAppendTime)
      throws IOException {
    int size = ByteUtils.readVarint(input);
    if (size < 0) {
      throw new InvalidRecordException("a record of " + size + " bytes");
    }
    byte[] record = size <= MOST_BYTES ? whole(input, size) : beginning(input, size);
    return DefaultRecord.readFrom(
        ByteBuffer.wrap(record), baseOffset, baseTimestamp, baseSequence, logAppendTime);
  }

  private static byte[] whole(InputStream input, int size) throws IOException {
    ByteBuffer record = ByteBuffer.allocate(ByteUtils.sizeOfVarint(size) + size);
    ByteUtils.writeVarint(size, record);
    int read = input.readNBytes(record.array(), record.position(), size);
    if (read != size) {
      throw new InvalidRecordException("a record of " + size + " bytes ends after " + read);
    }
    return record.array();
  }

  /** The same record with a short value, written anew, after all of it was passed over. */
  private static byte[] beginning(InputStream input, int size) throws IOException {
    Counted body = new Counted(input);
    body.read(); // attributes, of which no bit is in use
    long timestampDelta = ByteUtils.readVarlong(body);
    int offsetDelta = ByteUtils.readVarint(body);
    ByteBuffer key = field(body, size);
    ByteBuffer value = field(body, size);
    body.skipNBytes(size - body.count);
    Header[] cut = {new RecordHeader(CUT, Integer.toString(size).getBytes(UTF_8))};
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    DefaultRecord.writeTo(
        new DataOutputStream(written), offsetDelta, timestampDelta, key, value, cut);
    return written.toByteArray();
  }

  /** The first bytes of a key or value; null where there is none. */
  private static @Nullable ByteBuffer field(Counted body, int size) throws IOException {
    int length = ByteUtils.readVarint(body);
    if (length < 0) {
      return null;
    }
    if (length > size - body.count) {
      throw new InvalidRecordException("a field of " + length + " bytes in a record of " + size);
    }
    byte[] kept = body.readNBytes(Math.min(length, BYTES_KEPT));
    body.skipNBytes(length - kept.length);
    return ByteBuffer.wrap(kept);
  }

  /** Knows how much was read. */
  private static final class Counted extends InputStream {
    private final InputStream input;
    private long count;

    Counted(InputStream input) {
      this.input = input;
    }

    @Override
    public int read() throws IOException {
      int read = input.read();
      if (read < 0) {
        throw new EOFException();
      }
      count++;
      return read;
    }

    @Override
    public int read(byte[] into, int at, int length) throws IOException {
      int read = input.read(into, at, length);
      count += Math.max(0, read);
      return read;
    }

    @Override
    public long skip(long bytes) throws IOException {
      long skipped = input.skip(bytes);
      count += skipped;
      return skipped;
    }
  }
}
