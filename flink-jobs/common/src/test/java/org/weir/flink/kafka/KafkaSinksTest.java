package org.weir.flink.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.flink.api.common.serialization.SerializationSchema;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.util.UserCodeClassLoader;
import org.junit.jupiter.api.Test;

class KafkaSinksTest {

  private static final SerializationSchema.InitializationContext CONTEXT =
      new SerializationSchema.InitializationContext() {
        @Override
        public MetricGroup getMetricGroup() {
          return new UnregisteredMetricsGroup();
        }

        @Override
        public UserCodeClassLoader getUserCodeClassLoader() {
          throw new UnsupportedOperationException();
        }
      };

  @Test
  void aMessageThatKafkaWouldNotTakeIsNotSentAndStopsNothing() {
    KafkaSinks.ToTopic sent = new KafkaSinks.ToTopic("topic");
    sent.open(CONTEXT, null);
    assertThat(sent.serialize(new KafkaOut(new byte[500_000], new byte[500_001]), null, null))
        .isNull();
    assertThat(sent.serialize(new KafkaOut(new byte[500_000], new byte[500_000]), null, null))
        .isNotNull();
  }
}
