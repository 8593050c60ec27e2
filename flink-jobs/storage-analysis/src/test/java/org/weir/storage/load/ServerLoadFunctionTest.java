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
import org.weir.load.bucket.ServerBucket;
import org.weir.load.sample.Columns;
import org.weir.load.sample.Sample;
import org.weir.load.testing.Samples;
import org.weir.storage.control.Sites;
import org.weir.storage.control.StorageSettings;
import org.weir.storage.hours.HourPart;
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

  private KeyedBroadcastOperatorTestHarness<String, Sample, KafkaMessage, ServerBucket> harness;

  @BeforeEach
  void open() throws Exception {
    harness = harness(List.of(site(1, Samples.SITE)));
  }

  private static KeyedBroadcastOperatorTestHarness<String, Sample, KafkaMessage, ServerBucket>
      harness(List<KafkaMessage> control) throws Exception {
    KeyedBroadcastOperatorTestHarness<String, Sample, KafkaMessage, ServerBucket> harness =
        new KeyedBroadcastOperatorTestHarness<>(
            new CoBroadcastWithKeyedOperator<>(
                new ServerLoadFunction(() -> control, SETTINGS), List.of(Sites.DESCRIPTOR)),
            Sample::serverKey,
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
    Published site = new Published(Samples.CLUSTER, revision, content);
    return new KafkaMessage(
        Topics.SITE, 0, revision, 0, WireCodec.of(Published.class).encode(site));
  }

  private void send(Sample... samples) throws Exception {
    for (Sample sample : samples) {
      harness.processElement(sample, 0);
    }
  }

  private List<ServerBucket> buckets() {
    return new ArrayList<>(harness.extractOutputValues());
  }

  @Test
  void aBucketIsEmittedWhenASampleOfTheNextOneComes() throws Exception {
    send(Samples.of("s1", "a", 105, 1), Samples.of("s1", "a", 110, 2));
    assertThat(buckets()).isEmpty();
    send(Samples.of("s1", "a", 115, 4));
    ServerBucket bucket = buckets().get(0);
    assertThat(bucket.bucketStart).isEqualTo(100_000_000);
    assertThat(bucket.total(Columns.BYTES_WRITTEN)).isEqualTo(3);
    assertThat(bucket.util()).containsExactly(0.5);
    assertThat(bucket.samples).isEqualTo(2);
    assertThat(bucket.closedUntil).isEqualTo(110_000_000);
  }

  @Test
  void aSampleThatComesTwiceCountsOnce() throws Exception {
    send(
        Samples.of("s1", "a", 105, 1),
        Samples.of("s1", "a", 105, 1),
        Samples.of("s1", "a", 110, 2),
        Samples.of("s1", "a", 115, 4),
        Samples.of("s1", "a", 110, 2));
    assertThat(buckets()).hasSize(1);
    assertThat(buckets().get(0).total(Columns.BYTES_WRITTEN)).isEqualTo(3);
  }

  @Test
  void aLateSampleGivesItsBucketAgainWithAHigherVersion() throws Exception {
    send(
        Samples.of("s1", "a", 105, 1),
        Samples.of("s1", "a", 115, 4),
        Samples.of("s1", "a", 110, 2));
    assertThat(buckets()).extracting(b -> b.samples).containsExactly(1L, 2L);
    assertThat(buckets().get(1).total(Columns.BYTES_WRITTEN)).isEqualTo(3);
  }

  /**
   * 40 s in one sample are of four buckets; 15 s are taken for one. What follows is known again.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatHappenedInSeveralBucketsIsOfNone(boolean cumulative) throws Exception {
    Sample stalled = sampleed(cumulative, 150, 1_000_107, 107);
    stalled.intervalSeconds = 40;
    Sample slow = sampleed(cumulative, 165, 1_000_112, 5);
    slow.intervalSeconds = 15;
    send(sampleed(cumulative, 105, 100, 100), sampleed(cumulative, 110, 107, 7));
    send(stalled, slow, sampleed(cumulative, 170, 1_000_115, 3), sampleed(cumulative, 185, 0, 0));
    Map<Long, Double> written = new TreeMap<>();
    buckets().forEach(b -> written.put(b.bucketStart, b.total(Columns.BYTES_WRITTEN)));
    assertThat(written)
        .containsExactly(
            Map.entry(100_000_000L, cumulative ? 7.0 : 107.0),
            Map.entry(150_000_000L, 5.0),
            Map.entry(160_000_000L, 3.0));
  }

  /** Of five seconds: what was written since boot, or in them. */
  private static Sample sampleed(
      boolean cumulative, long seconds, double sinceBoot, double written) {
    return cumulative
        ? Samples.cumulative(seconds, "boot", sinceBoot, seconds / 2.0)
        : Samples.of("s1", "a", seconds, written);
  }

  @Test
  void aGapIsNoBucketAtAll() throws Exception {
    send(
        Samples.of("s1", "a", 105, 1),
        Samples.of("s1", "a", 165, 2),
        Samples.of("s1", "a", 175, 2));
    assertThat(buckets()).extracting(b -> b.bucketStart / 1_000_000).containsExactly(100L, 160L);
  }

  @Test
  void theOpenBucketIsEmittedWhenTheServerFallsSilent() throws Exception {
    send(Samples.of("s1", "a", 105, 1), Samples.of("s1", "a", 115, 4));
    harness.setProcessingTime(5_000);
    assertThat(buckets()).hasSize(1);
    harness.setProcessingTime(12_000);
    assertThat(buckets()).extracting(b -> b.bucketStart / 1_000_000).containsExactly(100L, 110L);
    assertThat(buckets().get(1).closedUntil).isEqualTo(110_000_000);
    send(Samples.of("s1", "a", 120, 8), Samples.of("s1", "a", 125, 8));
    assertThat(buckets().get(2).total(Columns.BYTES_WRITTEN)).isEqualTo(12);
    harness.setProcessingTime(23_000);
    assertThat(buckets()).hasSize(4);
    assertThat(buckets().get(3).bucketStart).isEqualTo(120_000_000);
  }

  @Test
  void countersSinceBootAreDifferenced() throws Exception {
    send(
        Samples.cumulative(105, "boot", 1000, 10),
        Samples.cumulative(110, "boot", 1100, 11),
        Samples.cumulative(115, "boot", 1300, 99));
    assertThat(buckets()).hasSize(1);
    assertThat(buckets().get(0).total(Columns.BYTES_WRITTEN)).isEqualTo(100);
    assertThat(buckets().get(0).util()).containsExactly(0.2);
    assertThat(buckets().get(0).samples).isEqualTo(1);
  }

  @Test
  void aRestartGivesNoRateAndNeverAHugeOne() throws Exception {
    send(
        Samples.cumulative(105, "boot", 1000, 10),
        Samples.cumulative(110, "other", 1e18, 11),
        Samples.cumulative(115, "other", 5, 12),
        Samples.cumulative(120, "other", 6, 13),
        Samples.cumulative(125, "other", 7, 14));
    assertThat(buckets()).hasSize(1);
    assertThat(buckets().get(0).bucketStart).isEqualTo(110_000_000);
    assertThat(buckets().get(0).total(Columns.BYTES_WRITTEN)).isEqualTo(1);
  }

  @Test
  void aCounterOf32BitsThatWrapsGivesNoValueOfItsDevice() throws Exception {
    double top = Math.pow(2, 32);
    send(
        Samples.cumulative(105, "b", top - 10, 1),
        Samples.cumulative(110, "b", 5, 2),
        Samples.cumulative(115, "b", 25, 3),
        Samples.cumulative(125, "b", 45, 4));
    assertThat(buckets()).hasSize(1);
    assertThat(buckets().get(0).total(Columns.BYTES_WRITTEN)).isEqualTo(20);
  }

  @Test
  void aDeviceThatComesFromAnotherServerHasNoValueAtItsFirstSample() throws Exception {
    Sample before = Samples.cumulative(105, "b", 10, 1);
    Sample first = Samples.withDevices(Samples.cumulative(110, "b", 20, 2), "a", "w");
    first.values[Columns.COUNT + Columns.BYTES_WRITTEN] = 7e15;
    Sample second = Samples.withDevices(Samples.cumulative(115, "b", 30, 3), "w", "a");
    second.values[Columns.BYTES_WRITTEN] = 7e15 + 4096;
    second.values[Columns.COUNT + Columns.BYTES_WRITTEN] = 30;
    second.values[Columns.COUNT + Columns.BUSY_SECONDS] = 3;
    send(before, first, second, Samples.cumulative(125, "b", 50, 5));
    assertThat(buckets().get(0).deviceIds).containsExactly("a");
    assertThat(buckets().get(1).deviceIds).containsExactly("w", "a");
    assertThat(buckets().get(1).sums[Columns.BYTES_WRITTEN]).isEqualTo(4096);
  }

  @ParameterizedTest
  @ValueSource(doubles = {-1, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY})
  void anAbsurdValueOfAnIntervalIsUnknown(double bytes) throws Exception {
    send(
        Samples.of("s1", "a", 105, 3),
        Samples.of("s1", "a", 110, bytes),
        Samples.of("s1", "a", 115, 1));
    assertThat(buckets()).hasSize(1);
    assertThat(buckets().get(0).total(Columns.BYTES_WRITTEN)).isEqualTo(3);
    assertThat(buckets().get(0).restarts).isEqualTo(1);
  }

  @Test
  void anArchiveBesideTheLiveStreamIsNotLate() throws Exception {
    long day = 86_400;
    send(Samples.of("s1", "a", day + 105, 1), Samples.of("s1", "a", day + 115, 1));
    send(Samples.archived("s1", "a", 105, 5), Samples.archived("s1", "a", 115, 5));
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
  void everyNewerSampleIsASignOfLifeAndTellsDevicesThatChange() throws Exception {
    send(
        Samples.of("s1", "a", 105, 1),
        Samples.of("s1", "a", 115, 1),
        Samples.of("s1", "a", 110, 1));
    send(Samples.withDevices(Samples.of("s1", "a", 120, 1), "a", "w"));
    assertThat(sightings()).containsExactly("105 1", "115", "120 2");
  }

  @Test
  void oldSamplesAreNoSignOfLifeWhateverTheySayOfThemselves() throws Exception {
    harness.setProcessingTime(Duration.ofHours(10).toMillis());
    long now = Duration.ofHours(10).toSeconds();
    send(Samples.archived("s1", "a", now, 1));
    send(Samples.of("s1", "a", now - 3 * 3600, 1));
    Sample sentAgain = Samples.of("s1", "a", now - 1, 1);
    sentAgain.sentAt = 1;
    send(sentAgain);
    assertThat(sightings()).isEmpty();
    send(Samples.of("s1", "a", now - 500, 1), Samples.of("s1", "a", now + 600, 1));
    assertThat(sightings()).as("clocks ten minutes off").containsExactly(now + 600 + " 1");
  }

  @Test
  void aLateSampleTellsTheHourWhatItReplaces() throws Exception {
    send(
        Samples.of("s1", "a", 105, 1),
        Samples.of("s1", "a", 115, 4),
        Samples.of("s1", "a", 110, 2));
    harness.setProcessingTime(20_000);
    send(Samples.of("s1", "a", 120, 8), Samples.of("s1", "a", 125, 8));
    // Bucket 100, again with the late sample; 110 in silence, and again when it is closed.
    assertThat(harness.getSideOutput(ServerLoadFunction.HOURS))
        .extracting(r -> told(r.getValue()))
        .containsExactly("0 1: 1", "1 2: 3 -1", "0 1: 4", "1 2: 12 -4");
  }

  private static String told(HourPart part) {
    StringBuilder told = new StringBuilder(part.samplesBefore + " " + part.samples + ":");
    for (int device = 0; device < part.deviceIds.length; device++) {
      told.append(' ')
          .append(part.change[device * HourPart.DEVICE_COLUMNS + Columns.BYTES_WRITTEN]);
    }
    return told.toString();
  }

  @Test
  void aLateCumulativeSampleMendsItselfAndItsSuccessor() throws Exception {
    send(
        Samples.cumulative(105, "b", 10, 1),
        Samples.cumulative(115, "b", 30, 3),
        Samples.cumulative(120, "b", 40, 4),
        Samples.cumulative(125, "b", 50, 5),
        Samples.cumulative(110, "b", 20, 2));
    Map<Long, Double> last = new TreeMap<>();
    buckets().forEach(b -> last.put(b.bucketStart / 1_000_000, b.total(Columns.BYTES_WRITTEN)));
    assertThat(last).containsEntry(100L, 10.0).containsEntry(110L, 20.0);
  }

  @Test
  void samplesInAnyOrderGiveTheSameLastRows() throws Exception {
    List<Sample> samples = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      samples.add(Samples.cumulative(105 + 5 * i, "b", i * i, i * 0.7));
    }
    String inOrder = lastRows(samples);
    for (int seed = 0; seed < 20; seed++) {
      List<Sample> shuffled = new ArrayList<>(samples);
      shuffled.addAll(samples.subList(10, 20));
      Collections.shuffle(shuffled, new Random(seed));
      assertThat(lastRows(shuffled)).isEqualTo(inOrder);
    }
  }

  private static String lastRows(List<Sample> samples) throws Exception {
    try (var fresh = harness(List.of(site(1, Samples.SITE)))) {
      for (Sample sample : samples) {
        fresh.processElement(sample, 0);
      }
      fresh.setProcessingTime(60_000);
      Map<Long, String> rows = new TreeMap<>();
      Map<Long, Long> versions = new TreeMap<>();
      for (ServerBucket b : fresh.extractOutputValues()) {
        if (versions.merge(b.bucketStart, b.samples, Math::max) == b.samples) {
          rows.put(
              b.bucketStart,
              b.samples + " " + b.total(Columns.BYTES_WRITTEN) + " " + (float) b.util()[0]);
        }
      }
      return rows.toString();
    }
  }

  @Test
  void samplesWaitForTheSite() throws Exception {
    harness.close();
    harness = harness(List.of());
    send(Samples.of("s1", "a", 105, 1), Samples.of("s1", "a", 115, 2));
    assertThat(buckets()).isEmpty();
    harness.processBroadcastElement(site(1, Samples.SITE), 0);
    send(Samples.of("s1", "a", 125, 4));
    assertThat(buckets()).extracting(b -> b.bucketStart / 1_000_000).containsExactly(100L, 110L);
  }

  @Test
  void stateAndTimersReturnToZero() throws Exception {
    for (int i = 0; i < 500; i++) {
      send(Samples.of("s1", "a", 105 + 5 * i, 1), Samples.of("s2", "b", 105 + 5 * i, 1));
    }
    assertThat(KeyedState.entries(harness)).isPositive();
    harness.setProcessingTime(Duration.ofMinutes(30).toMillis());
    assertThat(KeyedState.entries(harness)).isZero();
    assertThat(harness.numProcessingTimeTimers()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {Samples.SITE, ""})
  void samplesAreKeptForTheRetentionAndAtMostAFifthLonger(String content) throws Exception {
    harness.close();
    harness = harness(content.isEmpty() ? List.of() : List.of(site(1, content)));
    for (int i = 0; i < 1000; i++) {
      send(Samples.of("s1", "a", 105 + 5 * i, 1));
    }
    // One each five seconds, for ten to twelve minutes; in buckets of two, or a minute.
    assertThat(KeyedState.entries(harness, "c/s1/live", SampleState.SAMPLES)).isBetween(120L, 145L);
    assertThat(KeyedState.entries(harness, "c/s1/live", SampleState.INDEX))
        .isBetween(content.isEmpty() ? 10L : 60L, content.isEmpty() ? 14L : 74L);
  }

  @Test
  void aSampleBeyondTheRetentionIsPassedOver() throws Exception {
    for (int i = 0; i < 200; i++) {
      send(Samples.of("s1", "a", 105 + 5 * i, 1));
    }
    int before = buckets().size();
    Sample late = Samples.of("s1", "a", 106, 1);
    late.sentAt = 1100 * 1_000_000L;
    send(late, Samples.of("s1", "a", 1105, 1));
    assertThat(buckets()).hasSize(before + 1);
    assertThat(buckets().get(before).samples).as("what came before it is kept").isEqualTo(2);
  }

  @Test
  void aClockThatWasAheadAndIsSetRightBeginsAnew() throws Exception {
    long ahead = 7200;
    for (long second = 105; second <= 115; second += 5) {
      Sample sample = Samples.of("s1", "a", ahead + second, 1);
      sample.sentAt = second * 1_000_000;
      send(sample);
    }
    assertThat(buckets()).extracting(b -> b.closedUntil / 1_000_000).containsExactly(7310L);
    send(
        Samples.of("s1", "a", 120, 8),
        Samples.of("s1", "a", 125, 16),
        Samples.of("s1", "a", 130, 32),
        Samples.of("s1", "a", 135, 64));
    List<ServerBucket> right = buckets().subList(1, buckets().size());
    assertThat(right).extracting(b -> b.bucketStart / 1_000_000).containsExactly(110L, 120L);
    assertThat(right).extracting(b -> b.total(Columns.BYTES_WRITTEN)).containsExactly(8.0, 48.0);
    assertThat(right).extracting(b -> b.closedUntil / 1_000_000).containsExactly(120L, 130L);
    assertThat(right).extracting(b -> b.begunAt / 1_000_000).containsOnly(120L);
    assertThat(sightings()).containsExactly("7305 1", "7310", "7315", "120 1", "125", "130", "135");
    assertThat(KeyedState.entries(harness, "c/s1/live", SampleState.SAMPLES)).isEqualTo(4);
    harness.setProcessingTime(Duration.ofMinutes(30).toMillis());
    assertThat(KeyedState.entries(harness)).isZero();
    assertThat(harness.numProcessingTimeTimers()).isZero();
  }

  @Test
  void aSampleThatIsOnlyLateDoesNotUndoAClockThatStaysAhead() throws Exception {
    Sample ahead = Samples.of("s1", "a", 905, 1);
    ahead.sentAt = 305 * 1_000_000L;
    Sample late = Samples.of("s1", "a", 300, 1);
    late.sentAt = 310 * 1_000_000L;
    send(ahead, late);
    assertThat(KeyedState.entries(harness, "c/s1/live", SampleState.SAMPLES)).isEqualTo(1);
    assertThat(sightings()).containsExactly("905 1");
  }
}
