package org.weir.flink.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import org.weir.flink.kafka.limit.LimitedRecord;

/** A message as Kafka holds it, with the place where it was read. */
public final class KafkaMessage {

  private static final int KEY_BYTES_KEPT = 200;

  public String topic;
  public int partition;
  public long offset;

  /** Kafka's timestamp of the message, microseconds. */
  public long sentAt;

  /** Null for a deletion on a compacted topic. */
  public byte @Nullable [] value;

  /** The beginning of its key, which is whom or what it is about; empty where it has none. */
  public String key = "";

  /** Why it is refused whatever its bytes are; null for nearly all. */
  public @Nullable String refused;

  /** Leaves the fields to be set next, as Flink does when it reads one. */
  @SuppressWarnings("NullAway.Init")
  public KafkaMessage() {}

  public KafkaMessage(
      String topic, int partition, long offset, long sentAt, byte @Nullable [] value) {
    this.topic = topic;
    this.partition = partition;
    this.offset = offset;
    this.sentAt = sentAt;
    this.value = value;
  }

  /** As a consumer hands it over. */
  public static KafkaMessage of(ConsumerRecord<byte[], byte[]> record) {
    KafkaMessage message =
        new KafkaMessage(
            record.topic(),
            record.partition(),
            record.offset(),
            record.timestamp() * 1000,
            record.value());
    if (record.key() != null) {
      message.key =
          new String(record.key(), 0, Math.min(record.key().length, KEY_BYTES_KEPT), UTF_8);
    }
    Header cut = record.headers().lastHeader(LimitedRecord.CUT);
    if (cut != null) {
      message.refused =
          new String(cut.value(), UTF_8)
              + " bytes when unpacked, expected at most "
              + LimitedRecord.MOST_BYTES;
    }
    return message;
  }

  /** Topic, partition and offset, for errors. */
  public String place() {
    return topic + "/" + partition + "/" + offset;
  }
}
