package org.weir.flink.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.apache.flink.api.common.functions.util.ListCollector;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;
import org.junit.jupiter.api.Test;
import org.weir.wire.DeadLetter;
import org.weir.wire.Published;
import org.weir.wire.WireCodec;
import org.weir.wire.WireException;

class DecoderTest {

  private static final byte[] GOOD =
      WireCodec.of(Published.class).encode(new Published("site", 1, "{}"));

  private final Decoder<Published> decoder =
      new Decoder<>(Published.class, "test-job", Published::getId, new UnregisteredMetricsGroup());
  private final List<Published> taken = new ArrayList<>();
  private final List<KafkaOut> letters = new ArrayList<>();
  private final Emissions.SideOutput side =
      new Emissions.SideOutput() {
        @Override
        public <X> void output(OutputTag<X> tag, X value) {
          letters.add((KafkaOut) value);
        }
      };

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
  void aNameOfNearlyAMegabyteIsRefusedInALetterThatKafkaTakes() throws WireException {
    String name = "n".repeat(900_000);
    send(WireCodec.of(Published.class).encode(new Published(name, 1, "{}")), 17);
    assertThat(taken).isEmpty();
    assertThat(letters.get(0).value).hasSizeLessThan(200_000);
    DeadLetter letter = WireCodec.of(DeadLetter.class).decode(letters.get(0).value);
    assertThat(letter.getReason()).startsWith("Published.id: 900000 characters");
    assertThat(letter.getCluster()).endsWith("more characters");
    new Texts(letter.getSchema()).check(letter);
  }

  @Test
  void aReasonOfAnyLengthFitsIntoALetter() throws WireException {
    DeadLetter letter =
        refused(
            (message, out) -> {
              throw new WireException("\ud83d\ude00".repeat(500_000));
            });
    assertThat(letter.getReason()).hasSizeLessThan(2_000).endsWith("more characters");
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

  private List<DeadLetter> lettersOf(Predicate<DeadLetter> wanted) throws WireException {
    List<DeadLetter> found = new ArrayList<>();
    for (KafkaOut letter : letters) {
      DeadLetter decoded = WireCodec.of(DeadLetter.class).decode(letter.value);
      if (wanted.test(decoded)) {
        found.add(decoded);
      }
    }
    return found;
  }

  private void sendOf(String key, byte[] value, long offset) {
    KafkaMessage message = new KafkaMessage("topic", 3, offset, 55, value);
    message.key = key;
    decoder.decode(
        message, (decoded, out) -> out.collect(decoded), new ListCollector<>(taken), side);
  }

  @Test
  void aSourceOfGarbageIsCountedAndStopsNobody() throws WireException {
    for (int i = 0; i < 10_000; i++) {
      sendOf("bad", new byte[] {1}, 2 * i);
      sendOf("good", GOOD, 2 * i + 1);
    }
    assertThat(taken).hasSize(10_000);
    // If a minute ends during the test, each source is counted twice.
    assertThat(letters).hasSizeBetween(Refusals.KEPT_OF_A_SOURCE, 80);
    List<DeadLetter> counts = lettersOf(letter -> letter.getMessages() > 1);
    DeadLetter last = counts.get(counts.size() - 1);
    assertThat(last.getKey()).isEqualTo("bad");
    assertThat(last.getBytes().remaining()).isZero();
    assertThat(last.getReason()).contains("quarantine").contains("1 bytes that cannot be decoded");
    assertThat(last.getPartition()).isEqualTo(3);
  }

  @Test
  void anyNumberOfSourcesOfGarbageIsFewDeadLetters() {
    for (int i = 0; i < 200_000; i++) {
      sendOf("source " + i, new byte[] {1}, i);
    }
    assertThat(letters).hasSizeLessThan(3_000);
    sendOf("good", GOOD, 200_000);
    assertThat(taken).hasSize(1);
  }
}
