package org.weir.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.message.BinaryMessageEncoder;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.avro.util.RandomData;
import org.junit.jupiter.api.Test;

/** Any bytes end as a message or a WireException, and cost memory in proportion to their number. */
class AnyBytesTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** Of decoding: an object a byte at most, as an empty text in an array takes one. */
  private static final int MOST_BYTES_A_BYTE = 100;

  private static final int MOST_BYTES_AT_LEAST = 1 << 20;

  private static final List<byte[]> HUGE =
      List.of(
          hex("feffffff0f"), // 2^31 - 1
          hex("ffffffff0f"), // -2^31
          hex("feffffffffffffffff01"), // 2^63 - 1
          hex("ffffffffffffffffff01"), // -2^63
          hex("80808008"), // 8 MiB
          hex("ffffffffffffffffffff"),
          hex("01"));

  static final Map<String, WireCodec<?>> CODECS = codecs();

  private static Map<String, WireCodec<?>> codecs() {
    try {
      Map<String, WireCodec<?>> codecs = new TreeMap<>();
      for (String name : WireCodecTest.schemas().toList()) {
        Class<?> type = Class.forName(AnyBytesTest.class.getPackageName() + "." + name);
        codecs.put(name, WireCodec.of(type.asSubclass(SpecificRecordBase.class)));
      }
      return codecs;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void theMessageThatOnceStoppedTheJobIsRefused() {
    byte[] message = hex("c3011571ae8088501f0b" + "feffffff0f");
    assertThatThrownBy(() -> WireCodec.of(JobManifest.class).decode(message))
        .isInstanceOf(WireException.class)
        .hasMessageContaining("a length of 2147483647 at byte 15 of 15");
  }

  /** What AvroBounds relies on: no array holds items that take no bytes. */
  @Test
  void eachItemOfAnArrayTakesAByte() {
    for (String name : CODECS.keySet()) {
      for (Schema schema : WireCodec.history(name)) {
        assertThat(items(schema)).as(name).allMatch(AnyBytesTest::takesAByte);
      }
    }
  }

  private static List<Schema> items(Schema schema) {
    return switch (schema.getType()) {
      case ARRAY -> join(List.of(schema.getElementType()), items(schema.getElementType()));
      case MAP -> items(schema.getValueType());
      case UNION -> schema.getTypes().stream().flatMap(each -> items(each).stream()).toList();
      case RECORD ->
          schema.getFields().stream().flatMap(each -> items(each.schema()).stream()).toList();
      default -> List.of();
    };
  }

  private static List<Schema> join(List<Schema> some, List<Schema> more) {
    return java.util.stream.Stream.concat(some.stream(), more.stream()).toList();
  }

  private static boolean takesAByte(Schema schema) {
    return switch (schema.getType()) {
      case NULL -> false;
      case FIXED -> schema.getFixedSize() > 0;
      case RECORD -> schema.getFields().stream().anyMatch(each -> takesAByte(each.schema()));
      default -> true;
    };
  }

  @Tag("slow")
  @Property(tries = 20_000)
  void damagedMessagesOfEveryTypeAndVersion(@ForAll long seed) throws Exception {
    Random chance = new Random(seed);
    String name = pick(chance, List.copyOf(CODECS.keySet()));
    byte[] sound = message(pick(chance, WireCodec.history(name)), chance);
    assertThat(CODECS.get(name).decode(sound)).isNotNull();
    decode(name, damaged(sound, chance));
  }

  @Tag("slow")
  @Property(tries = 2_000)
  void messagesThatAreNone(@ForAll byte[] any, @ForAll long seed) throws Exception {
    for (String name : CODECS.keySet()) {
      decode(name, any);
      byte[] head =
          Arrays.copyOf(
              message(pick(new Random(seed), WireCodec.history(name)), new Random(seed)), 10);
      decode(name, ByteBuffer.allocate(10 + any.length).put(head).put(any).array());
    }
  }

  private static void decode(String name, byte[] bytes) {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    try {
      CODECS.get(name).decode(bytes);
    } catch (WireException e) {
      assertThat(e).hasMessageStartingWith(name + ": ");
    }
    assertThat(THREADS.getCurrentThreadAllocatedBytes() - before)
        .as("bytes allocated for %s", HexFormat.of().formatHex(bytes))
        .isLessThan((long) MOST_BYTES_A_BYTE * bytes.length + MOST_BYTES_AT_LEAST);
  }

  private static byte[] message(Schema schema, Random chance) throws Exception {
    Object record = new RandomData(schema, 1, chance.nextLong()).iterator().next();
    ByteBuffer bytes = new BinaryMessageEncoder<>(GenericData.get(), schema).encode(record);
    return Arrays.copyOf(bytes.array(), bytes.limit());
  }

  /** Bits flipped, cut, bytes put in or out, or a length that the message does not have. */
  private static byte[] damaged(byte[] sound, Random chance) {
    int at = chance.nextInt(sound.length);
    byte[] rest = Arrays.copyOfRange(sound, at, sound.length);
    byte[] put =
        switch (chance.nextInt(5)) {
          case 0 -> new byte[] {(byte) (rest[0] ^ 1 << chance.nextInt(8))};
          case 1 -> new byte[] {};
          case 2 -> new byte[] {(byte) chance.nextInt(), rest[0]};
          default -> pick(chance, HUGE);
        };
    int after = chance.nextBoolean() ? Math.min(1, rest.length) : chance.nextInt(rest.length + 1);
    return ByteBuffer.allocate(at + put.length + rest.length - after)
        .put(sound, 0, at)
        .put(put)
        .put(rest, after, rest.length - after)
        .array();
  }

  private static <T> T pick(Random chance, List<T> of) {
    return of.get(chance.nextInt(of.size()));
  }

  private static byte[] hex(String digits) {
    return HexFormat.of().parseHex(digits);
  }
}
