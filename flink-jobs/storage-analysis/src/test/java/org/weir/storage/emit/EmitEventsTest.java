package org.weir.storage.emit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.apache.flink.streaming.api.operators.ProcessOperator;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;
import org.weir.flink.clickhouse.Rows;
import org.weir.flink.kafka.KafkaOut;
import org.weir.flink.testing.ReadRows;
import org.weir.storage.events.Event;
import org.weir.storage.silence.Silence;
import org.weir.wire.StorageEvent;
import org.weir.wire.WireCodec;

class EmitEventsTest {

  /** hashlib.blake2b(b"c\\0silent\\0server\\0s1\\x001000000", digest_size=16).hexdigest() */
  private static final String ID = "bc3383b6f021588a21f386980ff24fea";

  @Test
  void anEventIsARowAndAMessageOfItsIdentity() throws Exception {
    Event event = Event.of("c", "silent", "server", "s1", 1_000_000).at(5);
    event.with(Silence.NUMBERS, 70, 60, 5);
    try (var harness =
        new OneInputStreamOperatorTestHarness<Event, Rows>(
            new ProcessOperator<>(new EmitEvents()))) {
      harness.open();
      harness.processElement(event, 0);
      harness.processElement(event.end(Event.RECOVERED, 9_000_000).at(8), 0);
      List<Map<String, Object>> rows =
          ReadRows.of(harness.extractOutputValues(), "storage_events_versions");
      assertThat(rows.get(0).keySet())
          .containsExactlyInAnyOrderElementsOf(ReadRows.columnsToSet("storage_events_versions"));
      assertThat(rows.get(0))
          .containsEntry("event_id", ID)
          .containsEntry("ended", null)
          .containsEntry("numbers", List.of(70.0, 60.0, 5.0))
          .containsEntry("version", 5L);
      assertThat(rows.get(1))
          .containsEntry("event_id", ID)
          .containsEntry("ended", 9_000_000L)
          .containsEntry("state", "recovered")
          .containsEntry("version", 8L);
      KafkaOut message = harness.getSideOutput(EmitEvents.MESSAGES).peek().getValue();
      assertThat(new String(message.key, java.nio.charset.StandardCharsets.UTF_8))
          .isEqualTo("c/server/s1");
      StorageEvent told = WireCodec.of(StorageEvent.class).decode(message.value);
      assertThat(told.getEventId()).isEqualTo(ID);
      assertThat(told.getSince()).isEqualTo(1_000_000);
      assertThat(told.getNumbers()).containsExactly(70.0, 60.0, 5.0);
    }
  }
}
