package org.weir.flink.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Decides when the reading of a partition pauses: when many sources send messages of one schema
 * that nobody knows, within minutes. Then the producers are newer than this job, while a single
 * source with such messages is only a bad one. What is remembered is bounded, whatever is sent.
 */
final class UnknownSchemas {

  static final int MANY_SOURCES = 10;
  static final long AT_ONCE_MICROS = Duration.ofMinutes(10).toMillis() * 1000;
  private static final int MOST_SCHEMAS = 64;

  private final Map<String, Recent> byPartition = new HashMap<>();

  private static final class Recent extends LinkedHashMap<Long, Seen> {
    private static final long serialVersionUID = 1L;

    @Override
    protected boolean removeEldestEntry(Map.Entry<Long, Seen> eldest) {
      return size() > MOST_SCHEMAS;
    }
  }

  private record Seen(long firstOffset, long firstSentAt, Set<Integer> sources) {}

  /**
   * Notes a message of an unknown schema.
   *
   * @return if these are too many: the offset of the first of them
   */
  OptionalLong note(long fingerprint, KafkaMessage message) {
    Recent schemas =
        byPartition.computeIfAbsent(
            message.topic + "-" + message.partition, partition -> new Recent());
    Seen seen = schemas.remove(fingerprint);
    if (seen == null || message.sentAt - seen.firstSentAt > AT_ONCE_MICROS) {
      seen = new Seen(message.offset, message.sentAt, new HashSet<>());
    }
    schemas.put(fingerprint, seen); // again the youngest
    seen.sources.add(message.key.hashCode());
    return seen.sources.size() < MANY_SOURCES
        ? OptionalLong.empty()
        : OptionalLong.of(seen.firstOffset);
  }
}
