package org.weir.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.SchemaCompatibility.SchemaCompatibilityType;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.message.MissingSchemaException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WireCodecTest {
  private static final WireCodec<Published> CODEC = WireCodec.of(Published.class);
  private static final Published SITE = new Published("demo", 3, "{\"cluster\":\"höchst\"}");

  @Test
  void writesSingleObjectEncoding() throws Exception {
    byte[] bytes = CODEC.encode(SITE);
    assertThat(Arrays.copyOf(bytes, 2)).containsExactly(0xc3, 0x01);
    byte[] fingerprint =
        SchemaNormalization.parsingFingerprint("CRC-64-AVRO", Published.getClassSchema());
    assertThat(Arrays.copyOfRange(bytes, 2, 10)).isEqualTo(fingerprint);
    assertThat(CODEC.decode(bytes)).isEqualTo(SITE);
  }

  @Test
  void aMessageOfAnUnknownSchemaIsRefused() {
    byte[] reference =
        WireCodec.of(Reference.class).encode(new Reference("c", "f", "read", 0, 1, 20L, 1.0));
    assertThatThrownBy(() -> CODEC.decode(reference))
        .isInstanceOf(WireException.class)
        .hasMessageContaining("Published: unknown schema fingerprint")
        .hasCauseInstanceOf(MissingSchemaException.class);
  }

  @Property
  void damagedBytesAreAWireException(
      @ForAll @IntRange(max = 40) int position, @ForAll byte value, @ForAll boolean cut) {
    byte[] bytes = CODEC.encode(SITE);
    byte[] damaged = cut ? Arrays.copyOf(bytes, position % bytes.length) : bytes.clone();
    if (!cut) {
      damaged[position % bytes.length] = value;
    }
    try {
      CODEC.decode(damaged);
    } catch (WireException e) {
      assertThat(e).hasMessageStartingWith("Published: ");
    }
  }

  @Test
  void aClaimedLengthOfAGigabyteIsRefusedBeforeItIsAllocated() {
    byte[] bytes = CODEC.encode(SITE);
    byte[] header = Arrays.copyOf(bytes, 15);
    // zigzag varint of 2^30
    System.arraycopy(
        new byte[] {(byte) 0x80, (byte) 0x80, (byte) 0x80, (byte) 0x80, 8}, 0, header, 10, 5);
    assertThatThrownBy(() -> CODEC.decode(header)).isInstanceOf(WireException.class);
  }

  /** Names of all active schemas, such as DeadLetter. */
  static Stream<String> schemas() throws Exception {
    return listed("/current").map(file -> file.replace(".avsc", ""));
  }

  private static Stream<String> listed(String folder) throws Exception {
    try (Stream<Path> files =
        Files.list(Path.of(WireCodecTest.class.getResource(folder).toURI()))) {
      return files.map(file -> file.getFileName().toString()).sorted().toList().stream();
    }
  }

  @Test
  void theHistoryIsOfTheSchemasInForce() throws Exception {
    assertThat(listed("history")).containsExactlyElementsOf(schemas().toList());
  }

  @ParameterizedTest
  @MethodSource("schemas")
  void everySchemaOfTheHistoryCanBeRead(String name) throws Exception {
    Class<?> type = Class.forName(getClass().getPackageName() + "." + name);
    Schema current =
        new Schema.Parser().parse(getClass().getResourceAsStream("/current/" + name + ".avsc"));
    List<Schema> history = WireCodec.history(name);
    assertThat(history).isNotEmpty();
    assertThat(fingerprint(history.get(history.size() - 1)))
        .as("schemas/avro/%s.avsc is the newest of its history", name)
        .isEqualTo(fingerprint(current));
    Schema generated = (Schema) type.getMethod("getClassSchema").invoke(null);
    assertThat(fingerprint(generated)).isEqualTo(fingerprint(current));
    for (Schema old : history) {
      assertThat(compatibility(current, old)).isEqualTo(SchemaCompatibilityType.COMPATIBLE);
      assertThat(compatibility(old, current)).isEqualTo(SchemaCompatibilityType.COMPATIBLE);
    }
  }

  private static long fingerprint(Schema schema) {
    return SchemaNormalization.parsingFingerprint64(schema);
  }

  private static SchemaCompatibilityType compatibility(Schema reader, Schema writer) {
    return SchemaCompatibility.checkReaderWriterCompatibility(reader, writer).getType();
  }
}
