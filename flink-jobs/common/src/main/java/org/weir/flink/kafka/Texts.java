package org.weir.flink.kafka;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecordBase;
import org.weir.wire.WireException;

/**
 * Checks texts of messages. They are names, which a job repeats in its keys and messages: one of
 * nearly a megabyte would make a message that Kafka does not take.
 */
final class Texts {

  private static final int MOST_CHARACTERS = 4_096;

  /** Texts that are no names, and end in rows only. */
  private static final Set<String> LONG = Set.of("node_list", "file", "reason");

  private final String type;
  private final List<Schema.Field> fields = new ArrayList<>();

  Texts(Schema schema) {
    type = schema.getName();
    for (Schema.Field field : schema.getFields()) {
      if (isText(field.schema()) && !LONG.contains(field.name())) {
        fields.add(field);
      }
    }
  }

  private static boolean isText(Schema schema) {
    return schema.getType() == Schema.Type.STRING
        || schema.getType() == Schema.Type.UNION
            && schema.getTypes().stream().anyMatch(Texts::isText);
  }

  /** Refuses a message with a text that is no name. */
  void check(SpecificRecordBase message) throws WireException {
    for (Schema.Field field : fields) {
      if (message.get(field.pos()) instanceof CharSequence text
          && text.length() > MOST_CHARACTERS) {
        throw new WireException(
            type
                + "."
                + field.name()
                + ": "
                + text.length()
                + " characters, expected at most "
                + MOST_CHARACTERS);
      }
    }
  }
}
