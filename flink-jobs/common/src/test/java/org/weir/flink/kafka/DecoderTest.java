package org.weir.flink.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.functions.util.ListCollector;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.util.Collector;
import org.apache.flink.util.ExceptionUtils;
import org.apache.flink.util.OutputTag;
import org.junit.jupiter.api.Test;
import org.weir.wire.DeadLetter;
import org.weir.wire.Published;
import org.weir.wire.WireCodec;
import org.weir.wire.WireException;

class DecoderTest {

  private static final byte[] GOOD =
      WireCodec.of(Published.class).encode(new Published("site", 1, "{}"));

  private Decoder<Published> decoder = decoder(Map.of());
  private final List<Published> taken = new ArrayList<>();
  private final List<KafkaOut> letters = new ArrayList<>();
  private final Emissions.SideOutput side =
      new Emissions.SideOutput() {
        @Override
        public <X> void output(OutputTag<X> tag, X value) {
          letters.add((KafkaOut) value);
        }
      };

  private static Decoder<Published> decoder(Map<String, String> jobParameters) {
    return new Decoder<>(Published.class, "test-job", Published::getId, jobParameters);
  }

  private void send(byte[] value, long offset) {
    KafkaMessage message = new KafkaMessage("topic", 3, offset, 55, value);
    decoder.decode(
        message, (decoded, out) -> out.collect(decoded), new ListCollector<>(taken), side);
  }

  @Test
  void aDeadLetterTellsTheReasonAndThePlace() throws WireException {
    byte[] large = new byte[100_000];
    send(large, 17);
    send(GOOD, 18);
    assertThat(taken).hasSize(1);
    DeadLetter letter = WireCodec.of(DeadLetter.class).decode(letters.get(0).value);
    assertThat(letter.getSource()).isEqualTo("test-job");
    assertThat(letter.getTopic()).isEqualTo("topic");
    assertThat(letter.getPartition()).isEqualTo(3);
    assertThat(letter.getOffset()).isEqualTo(17);
    assertThat(letter.getReason()).contains("Published");
    assertThat(letter.getBytes().remaining()).isEqualTo(64 * 1024);
  }

  @Test
  void theSameMessageTwiceIsTheSameDeadLetter() {
    send(new byte[] {1}, 17);
    send(new byte[] {1}, 17);
    assertThat(letters.get(0).value).isEqualTo(letters.get(1).value);
  }

  @Test
  void whatTheTakerRefusesNamesItsClusterAndLeavesNothingElse() throws WireException {
    DeadLetter letter =
        refused(
            (message, out) -> {
              out.collect(message);
              throw new WireException("not this one");
            });
    assertThat(letter.getReason()).isEqualTo("not this one");
  }

  @Test
  void whatTheTakerStumblesOverIsRefused() throws WireException {
    DeadLetter letter =
        refused(
            (message, out) -> {
              out.collect(message);
              throw new ArithmeticException("overflow");
            });
    assertThat(letter.getReason())
        .isEqualTo("Published: values that do not fit: java.lang.ArithmeticException: overflow");
  }

  private DeadLetter refused(Decoder.Taker<Published, Published> taker) throws WireException {
    KafkaMessage message = new KafkaMessage("topic", 0, 0, 0, GOOD);
    decoder.decode(message, taker, new ListCollector<>(taken), side);
    assertThat(taken).isEmpty();
    DeadLetter letter = WireCodec.of(DeadLetter.class).decode(letters.get(0).value);
    assertThat(letter.getCluster()).isEqualTo("site");
    return letter;
  }

  @Test
  void aFailureOfWhoReceivesIsNoRefusal() {
    Collector<Published> failing =
        new ListCollector<>(taken) {
          @Override
          public void collect(Published message) {
            throw new IllegalStateException("the network is away");
          }
        };
    KafkaMessage message = new KafkaMessage("topic", 0, 0, 0, GOOD);
    assertThatThrownBy(
            () -> decoder.decode(message, (decoded, out) -> out.collect(decoded), failing, side))
        .hasMessage("the network is away");
    assertThat(letters).isEmpty();
  }

  @Test
  void oneInFiveIsNoStorm() {
    for (int i = 0; i < 5_000; i++) {
      send(i % 5 == 0 ? new byte[] {1} : GOOD, i);
    }
    assertThat(letters).hasSize(1_000);
  }

  @Test
  void aStormEndsTheJobForGood() {
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 1_000; i++) {
                send(i % 4 == 0 ? new byte[] {1} : GOOD, i);
              }
            })
        .isInstanceOf(SuppressRestartsException.class)
        .matches(e -> ExceptionUtils.findThrowableWithMessage(e, "topic/3/800").isPresent());
    assertThat(letters).hasSize(StormGuard.MOST_REFUSED + 1);
  }

  @Test
  void aJobThatIsToldToPassesOverAStorm() {
    decoder = decoder(Map.of("kafka.storms", "pass"));
    for (int i = 0; i < 1_000; i++) {
      send(i % 4 == 0 ? new byte[] {1} : GOOD, i);
    }
    assertThat(letters).hasSize(250);
    assertThat(taken).hasSize(750);
  }
}
