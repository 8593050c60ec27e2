package org.weir.flink.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.util.ExceptionUtils;
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

  private static Decoder<Published> decoder(Map<String, String> jobParameters) {
    return new Decoder<>(Published.class, "test-job", Published::getId, jobParameters);
  }

  private void send(byte[] value, long offset) {
    decoder.decode(new KafkaMessage("topic", 3, offset, 55, value), taken::add, letters::add);
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
  void whatTheTakerRefusesNamesItsCluster() throws WireException {
    decoder.decode(
        new KafkaMessage("topic", 0, 0, 0, GOOD),
        message -> {
          throw new WireException("not this one");
        },
        letters::add);
    DeadLetter letter = WireCodec.of(DeadLetter.class).decode(letters.get(0).value);
    assertThat(letter.getCluster()).isEqualTo("site");
    assertThat(letter.getReason()).isEqualTo("not this one");
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
