package org.weir.analysis.cli;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.specific.SpecificRecordBase;
import org.weir.wire.DarshanLogMessage;
import org.weir.wire.DeviceSample;
import org.weir.wire.SchedulerJob;
import org.weir.wire.WireCodec;
import org.weir.wire.WireException;

/**
 * A stream of messages, each a 4-byte big-endian length and that many bytes of Avro single-object
 * encoding: {@link DarshanLogMessage}, {@link SchedulerJob} and {@link DeviceSample} in any order,
 * but for a log's header, which comes before its batches.
 */
final class Messages {
  private static final int LARGEST = 16 << 20;
  private static final int MARK = 2;

  private final Map<Long, WireCodec<? extends SpecificRecordBase>> codecs = new HashMap<>();

  /** Those that no message has needed yet: to make a codec takes longer than to read a log. */
  private final Deque<Class<? extends SpecificRecordBase>> others =
      new ArrayDeque<>(List.of(DarshanLogMessage.class, SchedulerJob.class, DeviceSample.class));

  /** Hands every message on until the stream ends. */
  void read(InputStream in, Consumer<SpecificRecordBase> consumer) throws IOException {
    DataInputStream data = new DataInputStream(in);
    long number = 0;
    while (true) {
      int length;
      try {
        length = data.readInt();
      } catch (EOFException e) {
        return;
      }
      number++;
      if (length < MARK + Long.BYTES || length > LARGEST) {
        throw new InputException("message " + number + ": claims a length of " + length);
      }
      byte[] bytes = data.readNBytes(length);
      if (bytes.length < length) {
        throw new InputException("message " + number + ": the input ends within it");
      }
      consumer.accept(decode(number, bytes));
    }
  }

  private SpecificRecordBase decode(long number, byte[] bytes) {
    long fingerprint = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong(MARK);
    while (!codecs.containsKey(fingerprint)) {
      if (others.isEmpty()) {
        throw new InputException("message " + number + ": none that the analysis reads");
      }
      add(others.remove());
    }
    WireCodec<? extends SpecificRecordBase> codec = codecs.get(fingerprint);
    try {
      return codec.decode(bytes);
    } catch (WireException e) {
      throw new InputException("message " + number + ": " + e.getMessage(), e);
    }
  }

  private void add(Class<? extends SpecificRecordBase> type) {
    WireCodec<? extends SpecificRecordBase> codec = WireCodec.of(type);
    for (Schema schema : WireCodec.history(type.getSimpleName())) {
      codecs.put(SchemaNormalization.parsingFingerprint64(schema), codec);
    }
  }
}
