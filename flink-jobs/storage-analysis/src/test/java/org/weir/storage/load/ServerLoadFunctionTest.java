package org.weir.storage.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.operators.co.CoBroadcastWithKeyedOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedBroadcastOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.weir.flink.kafka.KafkaMessage;
import org.weir.flink.kafka.Topics;
import org.weir.flink.testing.KeyedState;
import org.weir.storage.Ticks;
import org.weir.storage.bucket.HourPart;
import org.weir.storage.bucket.ServerBucket;
import org.weir.storage.control.Sites;
import org.weir.storage.control.StorageSettings;
import org.weir.storage.sample.Columns;
import org.weir.storage.sample.Tick;
import org.weir.wire.Published;
import org.weir.wire.WireCodec;

public class ServerLoadFunctionTest {

  private static final StorageSettings SETTINGS =
      new StorageSettings(
          Duration.ofMinutes(10),
          Duration.ofSeconds(5),
          Duration.ofSeconds(10),
          Duration.ofSeconds(60),
          Duration.ofDays(1));

  private KeyedBroadcastOperatorTestHarness<String, Tick, KafkaMessage, ServerBucket> harness;

  @BeforeEach
  void open() throws Exception {
    harness = harness(List.of(site(1, Ticks.SITE)));
  }

  private static KeyedBroadcastOperatorTestHarness<String, Tick, KafkaMessage, ServerBucket>
      harness(List<KafkaMessage> control) throws Exception {
    KeyedBroadcastOperatorTestHarness<String, Tick, KafkaMessage, ServerBucket> harness =
        new KeyedBroadcastOperatorTestHarness<>(
            new CoBroadcastWithKeyedOperator<>(
                new ServerLoadFunction(() -> control, SETTINGS), List.of(Sites.DESCRIPTOR)),
            Tick::serverKey,
            Types.STRING,
            128,
            1,
            0);
    harness.open();
    harness.setProcessingTime(1_000);
    return harness;
  }

  @AfterEach
  void close() throws Exception {
    harness.close();
  }

  public static KafkaMessage site(int revision, String content) {
    Published site = new Published(Ticks.CLUSTER, revision, content);
    return new KafkaMessage(
        Topics.SITE, 0, revision, 0, WireCodec.of(Published.class).encode(site));
  }

  private void send(Tick... ticks) throws Exception {
    for (Tick tick : ticks) {
      harness.processElement(tick, 0);
    }
  }

  private List<ServerBucket> buckets() {
    return new ArrayList<>(harness.extractOutputValues());
  }

  @Test
  void aBucketIsEmittedWhenATickOfTheNextOneComes() throws Exception {
    send(Ticks.of("s1", "a", 105, 1), Ticks.of("s1", "a", 110, 2));
    assertThat(buckets()).isEmpty();
    send(Ticks.of("s1", "a", 115, 4));
    ServerBucket bucket = buckets().get(0);
    assertThat(bucket.bucketStart).isEqualTo(100_000_000);
    assertThat(bucket.total(Columns.BYTES_WRITTEN)).isEqualTo(3);
    assertThat(bucket.util()).containsExactly(0.5);
    assertThat(bucket.ticks).isEqualTo(2);
    assertThat(bucket.closedUntil).isEqualTo(110_000_000);
  }

  @Test
  void aTickThatComesTwiceCountsOnce() throws Exception {
    send(
        Ticks.of("s1", "a", 105, 1),
        Ticks.of("s1", "a", 105, 1),
        Ticks.of("s1", "a", 110, 2),
        Ticks.of("s1", "a", 115, 4),
        Ticks.of("s1", "a", 110, 2));
    assertThat(buckets()).hasSize(1);
    assertThat(buckets().get(0).total(Columns.BYTES_WRITTEN)).isEqualTo(3);
  }

  @Test
  void aLateTickGivesItsBucketAgainWithAHigherVersion() throws Exception {
    send(Ticks.of("s1", "a", 105, 1), Ticks.of("s1", "a", 115, 4), Ticks.of("s1", "a", 110, 2));
    assertThat(buckets()).extracting(b -> b.ticks).containsExactly(1L, 2L);
    assertThat(buckets().get(1).total(Columns.BYTES_WRITTEN)).isEqualTo(3);
  }

  /** 40 s in one tick are of four buckets; 15 s are taken for one. What follows is known again. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatHappenedInSeveralBucketsIsOfNone(boolean cumulative) throws Exception {
    Tick stalled = ticked(cumulative, 150, 1_000_107, 107);
    stalled.intervalSeconds = 40;
    Tick slow = ticked(cumulative, 165, 1_000_112, 5);
    slow.intervalSeconds = 15;
    send(ticked(cumulative, 105, 100, 100), ticked(cumulative, 110, 107, 7));
    send(stalled, slow, ticked(cumulative, 170, 1_000_115, 3), ticked(cumulative, 185, 0, 0));
    Map<Long, Double> written = new TreeMap<>();
    buckets().forEach(b -> written.put(b.bucketStart, b.total(Columns.BYTES_WRITTEN)));
    assertThat(written)
        .containsExactly(
            Map.entry(100_000_000L, cumulative ? 7.0 : 107.0),
            Map.entry(150_000_000L, 5.0),
            Map.entry(160_000_000L, 3.0));
  }

  /** Of five seconds: what was written since boot, or in them. */
  private static Tick ticked(boolean cumulative, long seconds, double sinceBoot, double written) {
    return cumulative
        ? Ticks.cumulative(seconds, "boot", sinceBoot, seconds / 2.0)
        : Ticks.of("s1", "a", seconds, written);
  }

  @Test
  void aGapIsNoBucketAtAll() throws Exception {
    send(Ticks.of("s1", "a", 105, 1), Ticks.of("s1", "a", 165, 2), Ticks.of("s1", "a", 175, 2));
    assertThat(buckets()).extracting(b -> b.bucketStart / 1_000_000).containsExactly(100L, 160L);
  }

  @Test
  void theOpenBucketIsEmittedWhenTheServerFallsSilent() throws Exception {
    send(Ticks.of("s1", "a", 105, 1), Ticks.of("s1", "a", 115, 4));
    harness.setProcessingTime(5_000);
    assertThat(buckets()).hasSize(1);
    harness.setProcessingTime(12_000);
    assertThat(buckets()).extracting(b -> b.bucketStart / 1_000_000).containsExactly(100L, 110L);
    assertThat(buckets().get(1).closedUntil).isEqualTo(110_000_000);
    send(Ticks.of("s1", "a", 120, 8), Ticks.of("s1", "a", 125, 8));
    assertThat(buckets().get(2).total(Columns.BYTES_WRITTEN)).isEqualTo(12);
    harness.setProcessingTime(23_000);
    assertThat(buckets()).hasSize(4);
    assertThat(buckets().get(3).bucketStart).isEqualTo(120_000_000);
  }

  @Test
  void countersSinceBootAreDifferenced() throws Exception {
    send(
        Ticks.cumulative(105, "boot", 1000, 10),
        Ticks.cumulative(110, "boot", 1100, 11),
        Ticks.cumulative(115, "boot", 1300, 99));
    assertThat(buckets()).hasSize(1);
    assertThat(buckets().get(0).total(Columns.BYTES_WRITTEN)).isEqualTo(100);
    assertThat(buckets().get(0).util()).containsExactly(0.2);
    assertThat(buckets().get(0).ticks).isEqualTo(1);
  }

  @Test
  void aRestartGivesNoRateAndNeverAHugeOne() throws Exception {
    send(
        Ticks.cumulative(105, "boot", 1000, 10),
        Ticks.cumulative(110, "other", 1e18, 11),
        Ticks.cumulative(115, "other", 5, 12),
        Ticks.cumulative(120, "other", 6, 13),
        Ticks.cumulative(125, "other", 7, 14));
    assertThat(buckets()).hasSize(1);
    assertThat(buckets().get(0).bucketStart).isEqualTo(110_000_000);
    assertThat(buckets().get(0).total(Columns.BYTES_WRITTEN)).isEqualTo(1);
  }

  @Test
  void aCounterOf32BitsThatWrapsGivesNoValueOfItsDevice() throws Exception {
    double top = Math.pow(2, 32);
    send(
        Ticks.cumulative(105, "b", top - 10, 1),
        Ticks.cumulative(110, "b", 5, 2),
        Ticks.cumulative(115, "b", 25, 3),
        Ticks.cumulative(125, "b", 45, 4));
    assertThat(buckets()).hasSize(1);
    assertThat(buckets().get(0).total(Columns.BYTES_WRITTEN)).isEqualTo(20);
  }

  @Test
  void aDeviceThatComesFromAnotherServerHasNoValueAtItsFirstTick() throws Exception {
    Tick before = Ticks.cumulative(105, "b", 10, 1);
    Tick first = Ticks.withDevices(Ticks.cumulative(110, "b", 20, 2), "a", "w");
    first.values[Columns.COUNT + Columns.BYTES_WRITTEN] = 7e15;
    Tick second = Ticks.withDevices(Ticks.cumulative(115, "b", 30, 3), "w", "a");
    second.values[Columns.BYTES_WRITTEN] = 7e15 + 4096;
    second.values[Columns.COUNT + Columns.BYTES_WRITTEN] = 30;
    second.values[Columns.COUNT + Columns.BUSY_SECONDS] = 3;
    send(before, first, second, Ticks.cumulative(125, "b", 50, 5));
    assertThat(buckets().get(0).deviceIds).containsExactly("a");
    assertThat(buckets().get(1).deviceIds).containsExactly("w", "a");
    assertThat(buckets().get(1).sums[Columns.BYTES_WRITTEN]).isEqualTo(4096);
  }

  @ParameterizedTest
  @ValueSource(doubles = {-1, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY})
  void anAbsurdValueOfAnIntervalIsUnknown(double bytes) throws Exception {
    send(Ticks.of("s1", "a", 105, 3), Ticks.of("s1", "a", 110, bytes), Ticks.of("s1", "a", 115, 1));
    assertThat(buckets()).hasSize(1);
    assertThat(buckets().get(0).total(Columns.BYTES_WRITTEN)).isEqualTo(3);
    assertThat(buckets().get(0).restarts).isEqualTo(1);
  }

  @Test
  void anArchiveBesideTheLiveStreamIsNotLate() throws Exception {
    long day = 86_400;
    send(Ticks.of("s1", "a", day + 105, 1), Ticks.of("s1", "a", day + 115, 1));
    send(Ticks.archived("s1", "a", 105, 5), Ticks.archived("s1", "a", 115, 5));
    assertThat(buckets()).extracting(b -> b.origin).containsExactly("live", "backfill");
    assertThat(buckets().get(1).total(Columns.BYTES_WRITTEN)).isEqualTo(5);
  }

  private List<String> sightings() {
    var side = harness.getSideOutput(ServerLoadFunction.SIGHTINGS);
    return side == null
        ? List.of()
        : side.stream()
            .map(StreamRecord::getValue)
            .map(s -> s.time / 1_000_000 + (s.deviceIds == null ? "" : " " + s.deviceIds.length))
            .toList();
  }

  @Test
  void everyNewerTickIsASignOfLifeAndTellsDevicesThatChange() throws Exception {
    send(Ticks.of("s1", "a", 105, 1), Ticks.of("s1", "a", 115, 1), Ticks.of("s1", "a", 110, 1));
    send(Ticks.withDevices(Ticks.of("s1", "a", 120, 1), "a", "w"));
    assertThat(sightings()).containsExactly("105 1", "115", "120 2");
  }

  @Test
  void oldTicksAreNoSignOfLifeWhateverTheySayOfThemselves() throws Exception {
    harness.setProcessingTime(Duration.ofHours(10).toMillis());
    long now = Duration.ofHours(10).toSeconds();
    send(Ticks.archived("s1", "a", now, 1));
    send(Ticks.of("s1", "a", now - 3 * 3600, 1));
    Tick sentAgain = Ticks.of("s1", "a", now - 1, 1);
    sentAgain.sentAt = 1;
    send(sentAgain);
    assertThat(sightings()).isEmpty();
    send(Ticks.of("s1", "a", now - 500, 1), Ticks.of("s1", "a", now + 600, 1));
    assertThat(sightings()).as("clocks ten minutes off").containsExactly(now + 600 + " 1");
  }

  @Test
  void aLateTickTellsTheHourWhatItReplaces() throws Exception {
    send(Ticks.of("s1", "a", 105, 1), Ticks.of("s1", "a", 115, 4), Ticks.of("s1", "a", 110, 2));
    harness.setProcessingTime(20_000);
    send(Ticks.of("s1", "a", 120, 8), Ticks.of("s1", "a", 125, 8));
    // Bucket 100, again with the late tick; 110 in silence, and again when it is closed.
    assertThat(harness.getSideOutput(ServerLoadFunction.HOURS))
        .extracting(r -> told(r.getValue()))
        .containsExactly("0 1: 1", "1 2: 3 -1", "0 1: 4", "1 2: 12 -4");
  }

  private static String told(HourPart part) {
    StringBuilder told = new StringBuilder(part.ticksBefore + " " + part.ticks + ":");
    for (int device = 0; device < part.deviceIds.length; device++) {
      told.append(' ')
          .append(part.change[device * HourPart.DEVICE_COLUMNS + Columns.BYTES_WRITTEN]);
    }
    return told.toString();
  }

  @Test
  void aLateCumulativeTickMendsItselfAndItsSuccessor() throws Exception {
    send(
        Ticks.cumulative(105, "b", 10, 1),
        Ticks.cumulative(115, "b", 30, 3),
        Ticks.cumulative(120, "b", 40, 4),
        Ticks.cumulative(125, "b", 50, 5),
        Ticks.cumulative(110, "b", 20, 2));
    Map<Long, Double> last = new TreeMap<>();
    buckets().forEach(b -> last.put(b.bucketStart / 1_000_000, b.total(Columns.BYTES_WRITTEN)));
    assertThat(last).containsEntry(100L, 10.0).containsEntry(110L, 20.0);
  }

  @Test
  void ticksInAnyOrderGiveTheSameLastRows() throws Exception {
    List<Tick> ticks = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      ticks.add(Ticks.cumulative(105 + 5 * i, "b", i * i, i * 0.7));
    }
    String inOrder = lastRows(ticks);
    for (int seed = 0; seed < 20; seed++) {
      List<Tick> shuffled = new ArrayList<>(ticks);
      shuffled.addAll(ticks.subList(10, 20));
      Collections.shuffle(shuffled, new Random(seed));
      assertThat(lastRows(shuffled)).isEqualTo(inOrder);
    }
  }

  private static String lastRows(List<Tick> ticks) throws Exception {
    try (var fresh = harness(List.of(site(1, Ticks.SITE)))) {
      for (Tick tick : ticks) {
        fresh.processElement(tick, 0);
      }
      fresh.setProcessingTime(60_000);
      Map<Long, String> rows = new TreeMap<>();
      Map<Long, Long> versions = new TreeMap<>();
      for (ServerBucket b : fresh.extractOutputValues()) {
        if (versions.merge(b.bucketStart, b.ticks, Math::max) == b.ticks) {
          rows.put(
              b.bucketStart,
              b.ticks + " " + b.total(Columns.BYTES_WRITTEN) + " " + (float) b.util()[0]);
        }
      }
      return rows.toString();
    }
  }

  @Test
  void ticksWaitForTheSite() throws Exception {
    harness.close();
    harness = harness(List.of());
    send(Ticks.of("s1", "a", 105, 1), Ticks.of("s1", "a", 115, 2));
    assertThat(buckets()).isEmpty();
    harness.processBroadcastElement(site(1, Ticks.SITE), 0);
    send(Ticks.of("s1", "a", 125, 4));
    assertThat(buckets()).extracting(b -> b.bucketStart / 1_000_000).containsExactly(100L, 110L);
  }

  @Test
  void stateAndTimersReturnToZero() throws Exception {
    for (int i = 0; i < 500; i++) {
      send(Ticks.of("s1", "a", 105 + 5 * i, 1), Ticks.of("s2", "b", 105 + 5 * i, 1));
    }
    assertThat(KeyedState.entries(harness)).isPositive();
    harness.setProcessingTime(Duration.ofMinutes(30).toMillis());
    assertThat(KeyedState.entries(harness)).isZero();
    assertThat(harness.numProcessingTimeTimers()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {Ticks.SITE, ""})
  void ticksAreKeptForTheRetentionAndAtMostAFifthLonger(String content) throws Exception {
    harness.close();
    harness = harness(content.isEmpty() ? List.of() : List.of(site(1, content)));
    for (int i = 0; i < 1000; i++) {
      send(Ticks.of("s1", "a", 105 + 5 * i, 1));
    }
    // One each five seconds, for ten to twelve minutes; in buckets of two, or a minute.
    assertThat(KeyedState.entries(harness, "c/s1/live", ServerLoadFunction.TICKS))
        .isBetween(120L, 145L);
    assertThat(KeyedState.entries(harness, "c/s1/live", ServerLoadFunction.INDEX))
        .isBetween(content.isEmpty() ? 10L : 60L, content.isEmpty() ? 14L : 74L);
  }

  @Test
  void aTickBeyondTheRetentionIsPassedOver() throws Exception {
    for (int i = 0; i < 200; i++) {
      send(Ticks.of("s1", "a", 105 + 5 * i, 1));
    }
    int before = buckets().size();
    Tick late = Ticks.of("s1", "a", 106, 1);
    late.sentAt = 1100 * 1_000_000L;
    send(late, Ticks.of("s1", "a", 1105, 1));
    assertThat(buckets()).hasSize(before + 1);
    assertThat(buckets().get(before).ticks).as("what came before it is kept").isEqualTo(2);
  }

  @Test
  void aClockThatWasAheadAndIsSetRightBeginsAnew() throws Exception {
    long ahead = 7200;
    for (long second = 105; second <= 115; second += 5) {
      Tick tick = Ticks.of("s1", "a", ahead + second, 1);
      tick.sentAt = second * 1_000_000;
      send(tick);
    }
    assertThat(buckets()).extracting(b -> b.closedUntil / 1_000_000).containsExactly(7310L);
    send(
        Ticks.of("s1", "a", 120, 8),
        Ticks.of("s1", "a", 125, 16),
        Ticks.of("s1", "a", 130, 32),
        Ticks.of("s1", "a", 135, 64));
    List<ServerBucket> right = buckets().subList(1, buckets().size());
    assertThat(right).extracting(b -> b.bucketStart / 1_000_000).containsExactly(110L, 120L);
    assertThat(right).extracting(b -> b.total(Columns.BYTES_WRITTEN)).containsExactly(8.0, 48.0);
    assertThat(right).extracting(b -> b.closedUntil / 1_000_000).containsExactly(120L, 130L);
    assertThat(right).extracting(b -> b.begunAt / 1_000_000).containsOnly(120L);
    assertThat(sightings()).containsExactly("7305 1", "7310", "7315", "120 1", "125", "130", "135");
    assertThat(KeyedState.entries(harness, "c/s1/live", ServerLoadFunction.TICKS)).isEqualTo(4);
    harness.setProcessingTime(Duration.ofMinutes(30).toMillis());
    assertThat(KeyedState.entries(harness)).isZero();
    assertThat(harness.numProcessingTimeTimers()).isZero();
  }

  @Test
  void aTickThatIsOnlyLateDoesNotUndoAClockThatStaysAhead() throws Exception {
    Tick ahead = Ticks.of("s1", "a", 905, 1);
    ahead.sentAt = 305 * 1_000_000L;
    Tick late = Ticks.of("s1", "a", 300, 1);
    late.sentAt = 310 * 1_000_000L;
    send(ahead, late);
    assertThat(KeyedState.entries(harness, "c/s1/live", ServerLoadFunction.TICKS)).isEqualTo(1);
    assertThat(sightings()).containsExactly("905 1");
  }
}
