package org.weir.flink.kafka;

import org.apache.kafka.clients.consumer.ConsumerRecord;

/** A message as Kafka holds it, with the place where it was read. */
public final class KafkaMessage {

  public String topic;
  public int partition;
  public long offset;

  /** Kafka's timestamp of the message, microseconds. */
  public long sentAt;

  /** Null for a deletion on a compacted topic. */
  public byte[] value;

  public KafkaMessage() {}

  public KafkaMessage(String topic, int partition, long offset, long sentAt, byte[] value) {
    this.topic = topic;
    this.partition = partition;
    this.offset = offset;
    this.sentAt = sentAt;
    this.value = value;
  }

  /** As a consumer hands it over. */
  public static KafkaMessage of(ConsumerRecord<byte[], byte[]> message) {
    return new KafkaMessage(
        message.topic(),
        message.partition(),
        message.offset(),
        message.timestamp() * 1000,
        message.value());
  }

  /** Topic, partition and offset, for errors. */
  public String place() {
    return topic + "/" + partition + "/" + offset;
  }
}
