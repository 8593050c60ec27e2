package org.weir.storage.silence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.streaming.util.KeyedBroadcastOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.weir.flink.kafka.KafkaMessage;
import org.weir.flink.testing.KeyedState;
import org.weir.load.sample.DeviceIds;
import org.weir.load.sample.Sample;
import org.weir.load.testing.Samples;
import org.weir.storage.control.StorageSettings;
import org.weir.storage.events.Event;
import org.weir.storage.events.Watches;

class ServerWatchFunctionTest {

  private static final StorageSettings SETTINGS = StorageSettings.defaults();

  private KeyedBroadcastOperatorTestHarness<String, Sighting, KafkaMessage, Event> harness;
  private long now = Watches.START;

  @BeforeEach
  void open() throws Exception {
    harness = Watches.open(new ServerWatchFunction(Watches::control, SETTINGS), Sighting::key);
  }

  @AfterEach
  void close() throws Exception {
    harness.close();
  }

  private void see(String server, String... devices) throws Exception {
    // Its clock is ten minutes behind.
    see(server, -600, devices);
  }

  private void see(String server, long aheadSeconds, String... devices) throws Exception {
    Sample sample = Samples.of(server, "", now / 1000 + aheadSeconds, 0);
    sample.devices = DeviceIds.pack(List.of(devices));
    harness.processElement(Sighting.of(sample, devices.length > 0), 0);
  }

  private void pass(long seconds) throws Exception {
    for (long end = now + seconds * 1000; now < end; ) {
      now = Math.min(end, now + 5_000);
      harness.setProcessingTime(now);
    }
  }

  /** Both send for so long. */
  private void bothSend(long seconds) throws Exception {
    for (long passed = 0; passed < seconds; passed += 5) {
      see("s1");
      see("s2");
      pass(5);
    }
  }

  /** Only the second one does. */
  private void onlyTheSecondSends(long seconds) throws Exception {
    for (long passed = 0; passed < seconds; passed += 5) {
      pass(5);
      see("s2");
    }
  }

  private List<Event> events() {
    return harness.extractOutputValues();
  }

  private List<String> presences() {
    List<String> told = new ArrayList<>();
    var side = harness.getSideOutput(ServerWatchFunction.DEVICES);
    if (side != null) {
      side.forEach(
          r ->
              told.add(
                  r.getValue().device
                      + (r.getValue().present ? "+" : "-")
                      + r.getValue().server
                      + (r.getValue().forgotten ? " forgotten" : "")));
    }
    return told;
  }

  @Test
  void aServerThatStopsSendingIsSilentSinceItsLastSample() throws Exception {
    bothSend(100);
    onlyTheSecondSends(50);
    assertThat(events()).isEmpty();
    onlyTheSecondSends(30);
    assertThat(events()).hasSize(1);
    Event silent = events().get(0);
    assertThat(silent.kind).isEqualTo("silent");
    assertThat(silent.subjectKind).isEqualTo("server");
    assertThat(silent.subject).isEqualTo("s1");
    // By its own clock: the last sample came 95 s after the start.
    assertThat(silent.since).isEqualTo((Watches.START / 1000 + 95 - 600) * 1_000_000);
    assertThat(silent.state).isEqualTo("open");
    assertThat(silent.numbers[0]).isBetween(60.0, 80.0);
    assertThat(silent.numbers[1]).isEqualTo(60);
    onlyTheSecondSends(600);
    assertThat(events()).as("told once").hasSize(1);
  }

  /** A disk that hangs can stall the sampler and be gone in the sample that comes then. */
  @Test
  void howLongADeviceIsMissedIsByTheStatedIntervalThoughTheSamplerStalled() throws Exception {
    see("s1", "a", "w");
    Sample stalled = Samples.of("s1", "a", now / 1000, 0);
    stalled.intervalSeconds = 600;
    harness.processElement(Sighting.of(stalled, true), 0);
    assertThat(harness.getSideOutput(ServerWatchFunction.DEVICES))
        .extracting(r -> r.getValue().device, r -> r.getValue().intervalSeconds)
        .containsExactly(tuple("a", 5.0), tuple("w", 5.0), tuple("w", 5.0));
  }

  @Test
  void itHasRecoveredWhenItHasBeenThereForAWhile() throws Exception {
    bothSend(10);
    onlyTheSecondSends(100);
    bothSend(20);
    assertThat(events()).as("not at the first sample").hasSize(1);
    onlyTheSecondSends(100);
    assertThat(events()).as("silent again: still the same event").hasSize(1);
    bothSend(60);
    assertThat(events()).hasSize(2);
    Event over = events().get(1);
    assertThat(over.state).isEqualTo("recovered");
    assertThat(over.id()).isEqualTo(events().get(0).id());
    assertThat(over.version).isGreaterThan(events().get(0).version);
    // Away since 5 s after the start, back for good 230 s after it.
    assertThat(over.numbers[0]).isEqualTo(225);
    bothSend(600);
    assertThat(events()).hasSize(2);
  }

  @Test
  void itEndsNoSoonerThanItBeganThoughItsClockWasSetBack() throws Exception {
    see("s1", 7200);
    onlyTheSecondSends(80);
    bothSend(60);
    assertThat(events()).extracting(e -> e.state).containsExactly("open", "recovered");
    assertThat(events().get(0).since).isEqualTo((Watches.START / 1000 + 7200) * 1_000_000);
    assertThat(events().get(1).ended).isEqualTo(events().get(1).since);
  }

  @Test
  void aServerOfTheSiteThatNeverSentIsMissed() throws Exception {
    harness.processElement(Sighting.expected("c", "s1"), 0);
    harness.processElement(Sighting.expected("c", "s2"), 0);
    onlyTheSecondSends(90);
    assertThat(events()).extracting(e -> e.subject).containsExactly("s1");
    assertThat(events().get(0).since).isEqualTo(Watches.START * 1000);
  }

  @Test
  void whenNothingComesAtAllItWaitsLonger() throws Exception {
    bothSend(10);
    pass(200);
    assertThat(events()).as("perhaps it is the pipeline").isEmpty();
    pass(200);
    assertThat(events()).extracting(e -> e.subject).containsExactlyInAnyOrder("s1", "s2");
  }

  @Test
  void theTimeInWhichTheJobWasDownIsNobodysSilence() throws Exception {
    bothSend(10);
    var saved = harness.snapshot(1, now);
    harness.close();
    harness = Watches.closed(new ServerWatchFunction(Watches::control, SETTINGS), Sighting::key);
    harness.initializeState(saved);
    harness.open();
    now += 3_600_000;
    harness.setProcessingTime(now);
    bothSend(100);
    assertThat(events()).isEmpty();
    onlyTheSecondSends(80);
    assertThat(events()).hasSize(1);
  }

  @Test
  void nothingOpensInMaintenanceButAfterIt() throws Exception {
    now = 19_000_000;
    harness.setProcessingTime(now);
    bothSend(1_000);
    onlyTheSecondSends(9_000);
    assertThat(events()).isEmpty();
    onlyTheSecondSends(1_100);
    assertThat(events()).extracting(e -> e.inMaintenance).containsExactly(false);
  }

  @Test
  void whatIsOpenSaysThatMaintenanceHasBegunAndEnded() throws Exception {
    now = 19_000_000;
    harness.setProcessingTime(now);
    bothSend(100);
    onlyTheSecondSends(12_000);
    assertThat(events()).extracting(e -> e.inMaintenance).containsExactly(false, true, false);
    assertThat(events()).extracting(Event::id).containsOnly(events().get(0).id());
    assertThat(events()).extracting(e -> e.version).isSorted();
  }

  @Test
  void devicesThatComeAndGoAreTold() throws Exception {
    see("s2", "b", "x");
    see("s2", "b");
    see("s2", "b", "w");
    assertThat(presences()).containsExactlyInAnyOrder("b+s2", "x+s2", "x-s2", "w+s2");
    see("s1", "a");
    assertThat(presences()).as("the site lists w here").contains("a+s1", "w-s1").hasSize(6);
    pass(600);
    assertThat(presences()).as("those of a silent server are not gone").hasSize(6);
  }

  @Test
  void stateAndTimersReturnToZero() throws Exception {
    see("s9", "x");
    assertThat(KeyedState.entries(harness)).isPositive();
    pass(Duration.ofDays(1).toSeconds() + 60);
    assertThat(events()).extracting(e -> e.state).containsExactly("open", "abandoned");
    assertThat(presences()).containsExactly("x+s9", "x-s9 forgotten");
    assertThat(KeyedState.entries(harness)).isZero();
    assertThat(harness.numProcessingTimeTimers()).isZero();
  }
}
