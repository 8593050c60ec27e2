package org.weir.flink.kafka;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts refused messages by source and minute, in bounded memory. The first of a source are kept;
 * then it is in quarantine for the rest of the minute: what else of it is refused is only counted,
 * so that a source that sends nothing but garbage neither fills the dead letters nor stops
 * anything. Sources beyond a few hundred are counted as one.
 */
final class Refusals {

  static final int KEPT_OF_A_SOURCE = 20;
  static final int KEPT_IN_ALL = 200;
  static final int MOST_SOURCES = 200;

  private static final long MINUTE_MILLIS = 60_000;
  private static final String OTHERS = "(others)";

  private final Map<String, Source> sources = new HashMap<>();
  private long minute;
  private int kept;

  /** A source of this minute. */
  static final class Source {
    final String key;

    /** The first that is only counted, without its bytes; null while there is none. */
    @Nullable KafkaMessage first;

    /** Why that one was refused. */
    String reason = "";

    /** Number of messages that are only counted. */
    long messages;

    private int kept;
    private long reported;

    private Source(String key) {
      this.key = key;
    }

    /**
     * Returns true, and notes that the count is reported, each time the count has doubled. So a
     * reported count is more than half of the true one even after a crash, and a minute has few
     * reports.
     */
    boolean isDue() {
      boolean due = messages >= 2 * reported && messages > reported;
      reported = due ? messages : reported;
      return due;
    }
  }

  /**
   * Ends the minute, if it is over.
   *
   * @return the sources of it whose last count was not reported
   */
  List<Source> passMinute(long nowMillis) {
    if (nowMillis / MINUTE_MILLIS == minute) {
      return List.of();
    }
    List<Source> open =
        sources.values().stream().filter(source -> source.messages > source.reported).toList();
    sources.clear();
    kept = 0;
    minute = nowMillis / MINUTE_MILLIS;
    return open;
  }

  /**
   * Notes a refused message.
   *
   * @return its source if the message is only counted, null if it is to be kept
   */
  @Nullable Source note(KafkaMessage message, String reason) {
    Source source = source(message);
    if (kept < KEPT_IN_ALL && source.kept < KEPT_OF_A_SOURCE) {
      kept++;
      source.kept++;
      return null;
    }
    if (source.first == null) {
      source.first =
          new KafkaMessage(
              message.topic, message.partition, message.offset, message.sentAt, new byte[0]);
      source.first.key = source.key;
      source.reason = reason;
    }
    source.messages++;
    return source;
  }

  private Source source(KafkaMessage message) {
    Source known = sources.get(message.key);
    if (known != null) {
      return known;
    }
    String key = sources.size() < MOST_SOURCES ? message.key : OTHERS;
    return sources.computeIfAbsent(key, Source::new);
  }
}
