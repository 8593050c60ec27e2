package org.weir.flink.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.weir.flink.kafka.KafkaMessage;
import org.weir.wire.Published;
import org.weir.wire.WireCodec;
import org.weir.wire.WireException;

class DocumentsTest {

  private final Documents<Integer> documents = new Documents<>("numbers", Integer::valueOf);

  private static KafkaMessage message(String topic, int revision, String content) {
    byte[] value = WireCodec.of(Published.class).encode(new Published("id", revision, content));
    return new KafkaMessage(topic, 0, 0, 0, value);
  }

  @Test
  void theNewestRevisionIsInForce() throws WireException {
    assertThat(documents.take(message("numbers", 2, "22"))).isTrue();
    assertThat(documents.take(message("numbers", 1, "11"))).isFalse();
    assertThat(documents.get("id")).isEqualTo(22);
    assertThat(documents.revision("id")).isEqualTo(2);
    assertThat(documents.get("other")).isNull();
    assertThat(documents.revision("other")).isZero();
  }

  @Test
  void whatCannotBeUsedLeavesWhatWasInForce() throws WireException {
    documents.take(message("numbers", 1, "11"));
    assertThatThrownBy(() -> documents.take(message("numbers", 2, "x")))
        .hasMessageContaining("numbers, id");
    for (int revision : new int[] {-1, 0, 65_536, Integer.MAX_VALUE}) {
      assertThatThrownBy(() -> documents.take(message("numbers", revision, "22")))
          .hasMessageContaining("expected 1 to 65535");
    }
    assertThat(documents.get("id")).isEqualTo(11);
  }

  @Test
  void otherTopicsAndDeletionsArePassedOver() throws WireException {
    assertThat(documents.take(message("letters", 1, "11"))).isFalse();
    assertThat(documents.take(new KafkaMessage("numbers", 0, 0, 0, null))).isFalse();
  }
}
