package org.weir.flink.kafka;

import org.apache.avro.specific.SpecificRecordBase;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.weir.flink.config.Connections;

/** Kafka sources of the jobs. */
public final class KafkaSources {

  private static final String DISCOVER_PARTITIONS_EVERY_MS = "30000";

  private KafkaSources() {}

  /**
   * A topic of data: goes on where the consumer group stopped, from the earliest message where it
   * never read. A partition pauses when many sources send messages of a schema that is unknown.
   *
   * @param type of its messages
   */
  public static Source<KafkaMessage, ?, ?> data(
      Connections to, String group, String topic, Class<? extends SpecificRecordBase> type) {
    OffsetsInitializer start =
        to.readsAgain()
            ? OffsetsInitializer.earliest()
            : OffsetsInitializer.committedOffsets(OffsetResetStrategy.EARLIEST);
    return new PausingSource(
        source(to, group, start, topic), type.getSimpleName(), to.refusedSchemas());
  }

  /** Compacted topics that are read whole at every fresh start. */
  public static KafkaSource<KafkaMessage> control(Connections to, String group, String... topics) {
    return source(to, group + "-control", OffsetsInitializer.earliest(), topics);
  }

  private static KafkaSource<KafkaMessage> source(
      Connections to, String group, OffsetsInitializer start, String... topics) {
    return KafkaSource.<KafkaMessage>builder()
        .setProperties(to.kafkaProperties())
        .setGroupId(group)
        .setClientIdPrefix(group + "-" + topics[0])
        .setTopics(topics)
        .setStartingOffsets(start)
        .setProperty("isolation.level", "read_committed")
        .setProperty("partition.discovery.interval.ms", DISCOVER_PARTITIONS_EVERY_MS)
        .setDeserializer(new KafkaMessageDeserializer())
        .build();
  }
}
