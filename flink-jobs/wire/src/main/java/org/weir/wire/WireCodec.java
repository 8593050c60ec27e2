package org.weir.wire;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.message.BinaryMessageDecoder;
import org.apache.avro.message.BinaryMessageEncoder;
import org.apache.avro.message.MissingSchemaException;
import org.apache.avro.message.SchemaStore;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecordBase;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Avro single-object encoding (two marker bytes, 8-byte little-endian CRC-64-AVRO fingerprint,
 * body) of one message type. A reader knows every schema that the message ever had: they lie on the
 * classpath as {@code org/weir/wire/history/<Name>/<n>.avsc}, numbered from 1 without gaps.
 *
 * <p>Not serializable: build it where it is used (Flink: in {@code open()}). Safe for use by many
 * threads.
 */
@NullMarked
public final class WireCodec<T extends SpecificRecordBase> {
  private static final byte[] MARKER = {(byte) 0xC3, 0x01};
  private static final int HEAD_BYTES = MARKER.length + Long.BYTES;

  private final String name;
  private final BinaryMessageEncoder<T> encoder;
  private final SchemaStore.Cache schemas = new SchemaStore.Cache();
  private final BinaryMessageDecoder<T> decoder;

  private WireCodec(String name, SpecificData model, Schema schema) {
    this.name = name;
    this.encoder = new BinaryMessageEncoder<>(model, schema);
    schemas.addSchema(schema);
    history(name).forEach(schemas::addSchema);
    this.decoder = new BinaryMessageDecoder<>(model, schema, schemas);
  }

  /** The codec of a generated message class such as {@link DarshanLogMessage}. */
  public static <T extends SpecificRecordBase> WireCodec<T> of(Class<T> type) {
    SpecificData model = SpecificData.getForClass(type);
    return new WireCodec<>(type.getSimpleName(), model, model.getSchema(type));
  }

  /** Every schema that a message ever had, oldest first; empty for a name that has none. */
  public static List<Schema> history(String messageName) {
    List<Schema> schemas = new ArrayList<>();
    for (int number = 1; ; number++) {
      String resource = "history/" + messageName + "/" + number + ".avsc";
      try (InputStream stream = WireCodec.class.getResourceAsStream(resource)) {
        if (stream == null) {
          return schemas;
        }
        schemas.add(new Schema.Parser().parse(stream));
      } catch (IOException e) {
        throw new IllegalStateException("cannot read schema " + resource, e);
      }
    }
  }

  /** Returns the fingerprints of all schemas that a message type ever had. */
  public static Set<Long> fingerprints(String messageName) {
    return history(messageName).stream()
        .map(SchemaNormalization::parsingFingerprint64)
        .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Reads the fingerprint of the schema that a message was written with; empty if the bytes are in
   * another encoding.
   */
  public static OptionalLong fingerprint(byte @Nullable [] bytes) {
    if (bytes == null
        || bytes.length < HEAD_BYTES
        || !Arrays.equals(MARKER, 0, MARKER.length, bytes, 0, MARKER.length)) {
      return OptionalLong.empty();
    }
    ByteBuffer head = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    return OptionalLong.of(head.getLong(MARKER.length));
  }

  /** Returns a fingerprint as hex digits, in the order of its bytes in a message. */
  public static String hex(long fingerprint) {
    return String.format("%016x", Long.reverseBytes(fingerprint));
  }

  /** The message in single-object encoding. */
  public byte[] encode(T message) {
    try {
      ByteBuffer buffer = encoder.encode(message);
      byte[] bytes = new byte[buffer.remaining()];
      buffer.get(bytes);
      return bytes;
    } catch (IOException e) {
      throw new IllegalArgumentException("cannot encode a " + name, e);
    }
  }

  /**
   * Decodes any bytes: the message, read with the schema that it was written with and resolved to
   * today's. What it allocates is in proportion to the bytes.
   *
   * @throws WireException caused by {@link MissingSchemaException} where no schema in the history
   *     has the fingerprint; for all else that is no message of this type, too
   */
  public T decode(byte[] bytes) throws WireException {
    try {
      OptionalLong fingerprint = fingerprint(bytes);
      Schema writer =
          fingerprint.isPresent() ? schemas.findByFingerprint(fingerprint.getAsLong()) : null;
      if (writer != null) {
        AvroBounds.check(writer, bytes, HEAD_BYTES);
      }
      return decoder.decode(bytes);
    } catch (MissingSchemaException e) {
      throw new WireException(
          name
              + ": unknown schema fingerprint "
              + hex(fingerprint(bytes).orElseThrow())
              + "; the writer is newer than this reader, or the topic carries another message",
          e);
    } catch (WireException | IOException | RuntimeException e) {
      String why = e instanceof WireException ? e.getMessage() : e.toString();
      throw new WireException(
          name + ": " + bytes.length + " bytes that cannot be decoded: " + why, e);
    }
  }
}
