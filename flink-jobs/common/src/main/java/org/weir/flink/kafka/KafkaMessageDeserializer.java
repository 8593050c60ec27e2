package org.weir.flink.kafka;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Hands messages on undecoded: what cannot be decoded must not stop the source. */
final class KafkaMessageDeserializer implements KafkaRecordDeserializationSchema<KafkaMessage> {

  private static final long serialVersionUID = 1L;

  @Override
  public void deserialize(ConsumerRecord<byte[], byte[]> message, Collector<KafkaMessage> out) {
    out.collect(KafkaMessage.of(message));
  }

  @Override
  public TypeInformation<KafkaMessage> getProducedType() {
    return TypeInformation.of(KafkaMessage.class);
  }
}
