package org.weir.flink.kafka;

import java.util.Properties;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.weir.flink.config.Connections;

/** Kafka sinks of the jobs: at least once, since every message has an identity and a version. */
public final class KafkaSinks {

  private KafkaSinks() {}

  public static KafkaSink<KafkaOut> topic(Connections to, String topic) {
    Properties properties = to.kafkaProperties();
    properties.setProperty("compression.type", "zstd");
    return KafkaSink.<KafkaOut>builder()
        .setKafkaProducerConfig(properties)
        .setDeliveryGuarantee(DeliveryGuarantee.AT_LEAST_ONCE)
        .setRecordSerializer(new ToTopic(topic))
        .build();
  }

  private record ToTopic(String topic) implements KafkaRecordSerializationSchema<KafkaOut> {
    @Override
    public ProducerRecord<byte[], byte[]> serialize(
        KafkaOut message, KafkaSinkContext context, Long timestamp) {
      return new ProducerRecord<>(topic, message.key, message.value);
    }
  }
}
