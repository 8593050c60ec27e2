package org.weir.analysis.cli;

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
 * Reads a stream of messages, each a frame ({@link Frames}) of Avro single-object encoding: {@link
 * DarshanLogMessage}, {@link SchedulerJob} and {@link DeviceSample} in any order, but for a log's
 * header, which comes before its batches.
 */
final class Messages {
  private static final int MARK = 2;

  private final Map<Long, WireCodec<? extends SpecificRecordBase>> codecs = new HashMap<>();

  /** Those that no message has needed yet: to make a codec takes longer than to read a log. */
  private final Deque<Class<? extends SpecificRecordBase>> others =
      new ArrayDeque<>(List.of(DarshanLogMessage.class, SchedulerJob.class, DeviceSample.class));

  /** Hands every message on until the stream ends. */
  void read(InputStream in, Consumer<SpecificRecordBase> consumer) throws IOException {
    Frames frames = new Frames(in, MARK + Long.BYTES);
    for (byte[] bytes = frames.next(); bytes != null; bytes = frames.next()) {
      consumer.accept(decode(frames.number(), bytes));
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
