package org.weir.flink.control;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.weir.flink.kafka.KafkaMessage;
import org.weir.wire.Published;
import org.weir.wire.WireCodec;
import org.weir.wire.WireException;

/**
 * The active documents of one control topic, by id. They are no checkpointed state: the compacted
 * topic is their store, and an operator reads it whole when it opens. Not serializable: build it in
 * open().
 */
public final class Documents<T> {

  /** In the versions of rows it has 16 bits. */
  private static final int MOST_REVISION = 0xFFFF;

  private final String topic;
  private final Function<String, T> parser;
  private final WireCodec<Published> codec = WireCodec.of(Published.class);
  private final Map<String, Document<T>> byId = new HashMap<>();

  /** A document with the revision that its publication gave it. */
  public record Document<T>(int revision, T content) {}

  /**
   * @param parser of the content; throws a RuntimeException for one that cannot be used
   */
  public Documents(String topic, Function<String, T> parser) {
    this.topic = topic;
    this.parser = parser;
  }

  /**
   * Takes a message of a control topic; those of other topics and deletions are passed over. An
   * older revision never replaces a newer one.
   *
   * @return whether a document has changed
   * @throws WireException if the message is not a usable document; what was active stays
   */
  public boolean take(KafkaMessage message) throws WireException {
    if (!message.topic.equals(topic) || message.value == null) {
      return false;
    }
    Published published = codec.decode(message.value);
    if (published.getRevision() < 1 || published.getRevision() > MOST_REVISION) {
      throw new WireException(
          "revision " + published.getRevision() + ", expected 1 to " + MOST_REVISION);
    }
    Document<T> known = byId.get(published.getId());
    if (known != null && known.revision() >= published.getRevision()) {
      return false;
    }
    try {
      byId.put(
          published.getId(),
          new Document<>(published.getRevision(), parser.apply(published.getContent())));
    } catch (RuntimeException e) {
      throw new WireException(topic + ", " + published.getId() + ": " + e.getMessage(), e);
    }
    return true;
  }

  /** Returns the document with that id; null if there is none. */
  public @Nullable T get(String id) {
    Document<T> document = byId.get(id);
    return document == null ? null : document.content();
  }

  /** Its revision; 0 if there is none. */
  public int revision(String id) {
    Document<T> document = byId.get(id);
    return document == null ? 0 : document.revision();
  }
}
