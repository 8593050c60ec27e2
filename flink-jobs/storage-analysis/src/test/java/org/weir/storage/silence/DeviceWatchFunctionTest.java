package org.weir.storage.silence;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.apache.flink.streaming.util.KeyedBroadcastOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.weir.flink.kafka.KafkaMessage;
import org.weir.flink.testing.KeyedState;
import org.weir.load.testing.Samples;
import org.weir.storage.control.StorageSettings;
import org.weir.storage.events.Event;
import org.weir.storage.events.Watches;

class DeviceWatchFunctionTest {

  private KeyedBroadcastOperatorTestHarness<String, DevicePresence, KafkaMessage, Event> harness;
  private long now = Watches.START;

  @BeforeEach
  void open() throws Exception {
    harness =
        Watches.open(
            new DeviceWatchFunction(Watches::control, StorageSettings.defaults()),
            DevicePresence::key);
  }

  @AfterEach
  void close() throws Exception {
    harness.close();
  }

  private void tell(String device, String server, boolean present) throws Exception {
    Sighting of = Sighting.of(Samples.of(server, device, now / 1000, 0), true);
    harness.processElement(DevicePresence.of(of, device, present, of.time), 0);
  }

  private void pass(long seconds) throws Exception {
    for (long end = now + seconds * 1000; now < end; ) {
      now = Math.min(end, now + 5_000);
      harness.setProcessingTime(now);
    }
  }

  private List<Event> events() {
    return harness.extractOutputValues();
  }

  @Test
  void aDeviceThatMovesToAnotherServerIsNotMissed() throws Exception {
    tell("w", "s1", true);
    tell("w", "s1", false);
    pass(50);
    tell("w", "s2", true);
    pass(600);
    // In the other order, as when both servers see it for a while.
    tell("w", "s1", true);
    tell("w", "s2", false);
    pass(600);
    assertThat(events()).isEmpty();
    assertThat(harness.numProcessingTimeTimers()).isZero();
  }

  @Test
  void aDeviceThatNoServerHasIsSilentUntilOneHasIt() throws Exception {
    tell("w", "s1", true);
    tell("w", "s1", false);
    long last = now * 1000;
    pass(90);
    assertThat(events()).hasSize(1);
    Event silent = events().get(0);
    assertThat(silent.subjectKind).isEqualTo("device");
    assertThat(silent.subject).isEqualTo("w");
    assertThat(silent.server).isEqualTo("s1");
    assertThat(silent.filesystem).isEqualTo("fs");
    assertThat(silent.since).isEqualTo(last);
    tell("w", "s2", true);
    pass(15);
    assertThat(events()).hasSize(1);
    pass(30);
    assertThat(events()).hasSize(2);
    assertThat(events().get(1).state).isEqualTo("recovered");
    assertThat(events().get(1).id()).isEqualTo(silent.id());
    assertThat(events().get(1).numbers[0]).isEqualTo(90);
    assertThat(harness.numProcessingTimeTimers()).isZero();
  }

  @Test
  void aDeviceThatComesAndGoesIsOneEvent() throws Exception {
    tell("w", "s1", true);
    for (int i = 0; i < 10; i++) {
      tell("w", "s1", false);
      pass(100);
      tell("w", "s1", true);
      pass(20);
    }
    assertThat(events()).hasSize(1);
  }

  @Test
  void nothingOpensInMaintenanceOfItsFileSystem() throws Exception {
    now = 41_000_000;
    harness.setProcessingTime(now);
    tell("b", "s2", false);
    pass(5_000);
    assertThat(events()).isEmpty();
    pass(5_000);
    assertThat(events()).hasSize(1);
  }

  @Test
  void stateAndTimersReturnToZero() throws Exception {
    tell("unlisted", "s9", true);
    tell("unlisted", "s9", false);
    tell("other", "s1", true);
    assertThat(KeyedState.entries(harness)).isEqualTo(2);
    pass(Duration.ofDays(1).toSeconds() + 60);
    assertThat(events()).extracting(e -> e.state).containsExactly("open", "abandoned");
    DevicePresence forgotten = DevicePresence.of(Sighting.expected("c", "s1"), "other", false, 0);
    forgotten.forgotten = true;
    harness.processElement(forgotten, 0);
    assertThat(KeyedState.entries(harness)).isZero();
    assertThat(harness.numProcessingTimeTimers()).isZero();
  }
}
