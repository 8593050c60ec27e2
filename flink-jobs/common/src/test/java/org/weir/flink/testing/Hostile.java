package org.weir.flink.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecordBase;

/** Messages that any reader can decode, with values that no sound producer sends. */
public final class Hostile {
  private static final int MOST_FIELDS = 3;
  private static final long[] LONGS = {
    0, 1, -1, 7, 1 << 20, Integer.MAX_VALUE, 1L << 32, 1L << 53, Long.MAX_VALUE, Long.MIN_VALUE
  };
  private static final double[] DOUBLES = {
    0, -0.0, 1, -1, 1e-300, 1e9, 1e18, 1e300, Double.NaN, 1 / 0.0, -1 / 0.0, Double.MIN_VALUE
  };
  private static final String[] TEXTS = {
    "",
    "\0",
    "a\0b",
    "\n",
    "'; DROP TABLE runs; --",
    "\uD800",
    "\u202Etxt",
    "x".repeat(20_000),
    "-1"
  };

  private final Random chance;

  public Hostile(long seed) {
    chance = new Random(seed);
  }

  /** A copy of the message in which up to three fields, also of records in it, are hostile. */
  public <T extends SpecificRecordBase> T of(T sound) {
    T copy = SpecificData.get().deepCopy(sound.getSchema(), sound);
    for (int i = 1 + chance.nextInt(MOST_FIELDS); i > 0; i--) {
      change(copy);
    }
    return copy;
  }

  private void change(SpecificRecordBase record) {
    Schema.Field field = pick(record.getSchema().getFields());
    Object value = record.get(field.pos());
    if (value instanceof SpecificRecordBase inner) {
      change(inner);
    } else {
      record.put(field.pos(), value(field.schema(), value));
    }
  }

  private Object value(Schema schema, Object sound) {
    return switch (schema.getType()) {
      case UNION -> value(pick(schema.getTypes()), sound);
      case INT -> (int) LONGS[chance.nextInt(LONGS.length)];
      case LONG ->
          LONGS[chance.nextInt(LONGS.length)]
              + (sound instanceof Long l && chance.nextBoolean() ? l : 0);
      case DOUBLE -> DOUBLES[chance.nextInt(DOUBLES.length)];
      case BOOLEAN -> chance.nextBoolean();
      case STRING -> TEXTS[chance.nextInt(TEXTS.length)];
      case BYTES -> bytes(sound);
      case ARRAY -> items(schema, sound);
      case MAP -> Map.of(TEXTS[chance.nextInt(TEXTS.length)], TEXTS[chance.nextInt(TEXTS.length)]);
      default -> sound;
    };
  }

  /** Of the same length with other numbers in it, or of another length. */
  private ByteBuffer bytes(Object sound) {
    int length = sound instanceof ByteBuffer b ? b.remaining() : 0;
    if (chance.nextInt(4) == 0) {
      return ByteBuffer.wrap("hostile".repeat(chance.nextInt(10)).getBytes(UTF_8));
    }
    ByteBuffer bytes = ByteBuffer.allocate(length);
    if (sound instanceof ByteBuffer b) {
      bytes.put(b.duplicate()).flip();
    }
    bytes.order(java.nio.ByteOrder.LITTLE_ENDIAN);
    for (int at = 0; at + Long.BYTES <= length; at += Long.BYTES) {
      if (chance.nextInt(3) == 0) {
        boolean whole = chance.nextBoolean();
        long number = LONGS[chance.nextInt(LONGS.length)];
        double decimal = DOUBLES[chance.nextInt(DOUBLES.length)];
        bytes.putLong(at, whole ? number : Double.doubleToRawLongBits(decimal));
      }
    }
    return bytes;
  }

  /** One item changed, twice there, or gone; or none at all. */
  private List<Object> items(Schema schema, Object sound) {
    List<Object> items = sound instanceof List<?> list ? new ArrayList<>(list) : new ArrayList<>();
    if (items.isEmpty()) {
      return items;
    }
    int at = chance.nextInt(items.size());
    switch (chance.nextInt(4)) {
      case 0 -> items.clear();
      case 1 -> items.remove(at);
      case 2 -> items.add(items.get(at));
      default -> {
        if (items.get(at) instanceof SpecificRecordBase inner) {
          change(inner);
        } else {
          items.set(at, value(schema.getElementType(), items.get(at)));
        }
      }
    }
    return items;
  }

  private <E> E pick(List<E> of) {
    return of.get(chance.nextInt(of.size()));
  }
}
