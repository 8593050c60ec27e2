package org.weir.flink.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Properties;
import org.apache.flink.api.common.serialization.SerializationSchema;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.metrics.Counter;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.weir.flink.config.Connections;
import org.weir.wire.Text;

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

  /**
   * Writes messages; one that Kafka would not take is reported, for it would stop the job for good.
   */
  static final class ToTopic implements KafkaRecordSerializationSchema<KafkaOut> {

    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(ToTopic.class);

    /** Below the producer's limit of 1 MiB, which counts a few bytes more. */
    private static final int MOST_BYTES = 1_000_000;

    private static final int KEY_CHARACTERS = 200;

    private final String topic;
    private transient Counter tooLarge;

    ToTopic(String topic) {
      this.topic = topic;
    }

    @Override
    public void open(SerializationSchema.InitializationContext context, KafkaSinkContext sink) {
      tooLarge = context.getMetricGroup().counter("messagesTooLarge");
    }

    @Override
    public @Nullable ProducerRecord<byte[], byte[]> serialize(
        KafkaOut message, KafkaSinkContext context, @Nullable Long timestamp) {
      int bytes = message.key.length + message.value.length;
      if (bytes > MOST_BYTES) {
        tooLarge.inc();
        String key = Text.shortened(new String(message.key, UTF_8), KEY_CHARACTERS);
        LOG.error("{}: a message of {} bytes is not sent, its key begins {}", topic, bytes, key);
        return null;
      }
      return new ProducerRecord<>(topic, message.key, message.value);
    }
  }
}
