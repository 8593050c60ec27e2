package org.weir.alerting;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.streaming.util.ProcessFunctionTestHarnesses;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.weir.flink.kafka.DeadLetters;
import org.weir.flink.kafka.DecodeFunction;
import org.weir.flink.kafka.KafkaMessage;

/** What {@code weir person erase} deletes from the compacted topics is no damaged message. */
class DeletionsTest {

  static Stream<DecodeFunction<?, ?>> decoders() {
    return Stream.of(new DecodeControls(), new DecodeDeliveries());
  }

  @ParameterizedTest
  @MethodSource("decoders")
  <O> void aDeletionIsPassedOverAndDamageIsADeadLetter(DecodeFunction<?, O> decoder)
      throws Exception {
    try (OneInputStreamOperatorTestHarness<KafkaMessage, O> harness =
        ProcessFunctionTestHarnesses.forProcessFunction(decoder)) {
      harness.processElement(new KafkaMessage("weir.control", 0, 1, 0, null), 0);
      assertThat(harness.getSideOutput(DeadLetters.TAG)).isNull();
      harness.processElement(new KafkaMessage("weir.control", 0, 2, 0, new byte[3]), 0);
      assertThat(harness.getSideOutput(DeadLetters.TAG)).hasSize(1);
      assertThat(harness.extractOutputValues()).isEmpty();
    }
  }
}
