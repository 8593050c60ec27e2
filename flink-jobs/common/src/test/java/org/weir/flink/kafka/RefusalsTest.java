package org.weir.flink.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RefusalsTest {

  private static final long NOON = 43_200_000;

  private final Refusals refusals = new Refusals();

  private boolean keeps(String key) {
    KafkaMessage message = new KafkaMessage("topic", 0, 7, 0, new byte[] {1});
    message.key = key;
    return refusals.note(message, "garbage") == null;
  }

  @Test
  void theEndOfAMinuteCountsEveryMessageAndFreesItsSources() {
    refusals.passMinute(NOON);
    for (int i = 0; i < 1_000; i++) {
      assertThat(keeps("bad")).isEqualTo(i < Refusals.KEPT_OF_A_SOURCE);
    }
    assertThat(refusals.passMinute(NOON + 59_999)).isEmpty();
    List<Refusals.Source> counted = refusals.passMinute(NOON + 60_000);
    assertThat(counted).hasSize(1);
    assertThat(counted.get(0).messages).isEqualTo(1_000 - Refusals.KEPT_OF_A_SOURCE);
    assertThat(counted.get(0).key).isEqualTo("bad");
    assertThat(keeps("bad")).isTrue();
  }

  @Test
  void aFewSourcesDoNotHideTheOthers() {
    refusals.passMinute(NOON);
    for (int i = 0; i < 5; i++) {
      for (int j = 0; j < 10_000; j++) {
        keeps("bad " + i);
      }
    }
    assertThat(keeps("another")).isTrue();
  }

  @Test
  void whatIsRememberedIsBounded() {
    refusals.passMinute(NOON);
    for (int i = 0; i < 100_000; i++) {
      keeps("source " + i);
    }
    List<Refusals.Source> counted = refusals.passMinute(NOON + 60_000);
    assertThat(counted).hasSizeLessThanOrEqualTo(Refusals.MOST_SOURCES + 1);
    assertThat(counted.stream().mapToLong(source -> source.messages).sum())
        .isEqualTo(100_000 - Refusals.KEPT_IN_ALL);
  }
}
