package org.weir.flink.control;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.weir.flink.config.Connections;
import org.weir.flink.kafka.KafkaMessage;

/**
 * Reads control topics to their end. The broadcast stream alone would not do: nothing orders it
 * before the first element of the data, and what is judged by no rules is judged wrongly.
 */
public final class KafkaControlSnapshot implements ControlSnapshot {

  private static final long serialVersionUID = 1L;
  private static final Duration POLL = Duration.ofMillis(200);

  private final Connections connections;
  private final List<String> topics;

  public KafkaControlSnapshot(Connections connections, String... topics) {
    this.connections = connections;
    this.topics = Arrays.asList(topics);
  }

  @Override
  public List<KafkaMessage> read() {
    Properties properties = connections.kafkaProperties();
    properties.setProperty("enable.auto.commit", "false");
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          topics.stream()
              .flatMap(topic -> consumer.partitionsFor(topic).stream())
              .map(info -> new TopicPartition(info.topic(), info.partition()))
              .toList();
      return readToEnd(consumer, partitions);
    }
  }

  private static List<KafkaMessage> readToEnd(
      KafkaConsumer<byte[], byte[]> consumer, List<TopicPartition> partitions) {
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    List<KafkaMessage> messages = new ArrayList<>();
    while (ends.entrySet().stream().anyMatch(e -> consumer.position(e.getKey()) < e.getValue())) {
      for (ConsumerRecord<byte[], byte[]> message : consumer.poll(POLL)) {
        messages.add(KafkaMessage.of(message));
      }
    }
    return messages;
  }
}
