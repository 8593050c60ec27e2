package org.weir.storage.trouble;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.flink.streaming.util.KeyedBroadcastOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.weir.flink.kafka.KafkaMessage;
import org.weir.flink.testing.KeyedState;
import org.weir.load.bucket.DevicePart;
import org.weir.load.bucket.FilesystemLoad;
import org.weir.load.bucket.ServerBucket;
import org.weir.load.sample.Columns;
import org.weir.site.Site;
import org.weir.storage.control.StorageSettings;
import org.weir.storage.events.Event;
import org.weir.storage.events.Watches;

/** Hot or saturated after 60 s, over after 30 s; buckets of ten seconds. */
class FilesystemWatchFunctionTest {

  private static final Site SITE = Site.parse(Watches.SITE);

  private KeyedBroadcastOperatorTestHarness<String, FilesystemVitals, KafkaMessage, Event> harness;
  private long second = Watches.START / 1000;

  /** Bytes a second by device a. */
  private double written;

  @BeforeEach
  void open() throws Exception {
    harness =
        Watches.open(
            new FilesystemWatchFunction(Watches::control, StorageSettings.defaults()),
            vitals -> vitals.cluster + "/" + vitals.filesystem);
  }

  @AfterEach
  void close() throws Exception {
    harness.close();
  }

  /** The next buckets: how busy the device a is, and each of its two siblings. */
  private void buckets(int count, double ofA, double ofOthers) throws Exception {
    for (int i = 0; i < count; i++) {
      bucket(second, ofA, ofOthers);
      second += 10;
      harness.setProcessingTime(second * 1000);
    }
  }

  private void bucket(long start, double ofA, double ofOthers) throws Exception {
    TreeMap<String, DevicePart> devices = new TreeMap<>();
    ServerBucket share = new ServerBucket();
    share.cluster = "c";
    share.server = "s1";
    share.filesystem = "fs";
    share.bucketStart = start * 1_000_000;
    share.bucketSeconds = 10;
    share.deviceIds = new String[] {"a", "b", "w"};
    share.sums = new double[3 * Columns.COUNT];
    share.sums[Columns.BUSY_SECONDS] = 10 * ofA;
    share.sums[Columns.COUNT + Columns.BUSY_SECONDS] = 10 * ofOthers;
    share.sums[2 * Columns.COUNT + Columns.BUSY_SECONDS] = 10 * ofOthers;
    share.sums[Columns.BYTES_WRITTEN] = written * 10;
    share.sampledSeconds = new double[] {10, 10, 10};
    share.origin = "live";
    FilesystemLoad load = FilesystemLoad.of(List.of(share), devices);
    harness.processElement(FilesystemVitals.of(load, devices, SITE), 0);
  }

  private List<Event> events() {
    return harness.extractOutputValues();
  }

  @Test
  void aHotDeviceIsToldOnceAndEndsWhenItIsCalm() throws Exception {
    buckets(2, 0.1, 0.1);
    long began = second * 1_000_000;
    buckets(3, 1.0, 0.1);
    buckets(2, 0.7, 0.1);
    buckets(1, 1.0, 0.1);
    assertThat(events()).hasSize(1);
    Event hot = events().get(0);
    assertThat(hot.kind).isEqualTo("hot");
    assertThat(hot.subject).isEqualTo("a");
    assertThat(hot.server).isEqualTo("s1");
    assertThat(hot.filesystem).isEqualTo("fs");
    assertThat(hot.since).isEqualTo(began);
    assertThat(hot.names).startsWith("util", "siblings_util");
    assertThat(hot.numbers[0]).isCloseTo((4 * 1.0 + 2 * 0.7) / 6, within(1e-9));
    assertThat(hot.numbers[1]).isCloseTo(0.1, within(1e-9));
    buckets(2, 0.1, 0.1);
    buckets(1, 0.7, 0.1);
    buckets(2, 0.1, 0.1);
    assertThat(events()).as("not calm for long enough").hasSize(1);
    buckets(1, 0.1, 0.1);
    assertThat(events()).hasSize(2);
    assertThat(events().get(1).state).isEqualTo("recovered");
    assertThat(events().get(1).id()).isEqualTo(hot.id());
    assertThat(events().get(1).ended).isEqualTo((second - 30) * 1_000_000);
    assertThat(events().get(1).version).isGreaterThan(hot.version);
  }

  @Test
  void aCalmBucketBeforeTheTimeStartsItAnew() throws Exception {
    for (int i = 0; i < 10; i++) {
      buckets(5, 1.0, 0.1);
      buckets(1, 0.1, 0.1);
    }
    assertThat(events()).isEmpty();
  }

  @Test
  void aFileSystemWhoseDevicesAreAllBusyIsSaturated() throws Exception {
    buckets(6, 0.95, 0.95);
    assertThat(events()).extracting(e -> e.kind).containsExactly("saturated");
    assertThat(events().get(0).subject).isEqualTo("fs");
    assertThat(events().get(0).numbers[0]).isCloseTo(0.95, within(1e-9));
    buckets(3, 0.5, 0.5);
    assertThat(events().get(1).state).isEqualTo("recovered");
  }

  @Test
  void oneAtItsStatedPeakIsSaturated() throws Exception {
    // 100 MiB/s at two device bytes for each byte written, nine tenths of it.
    written = 2 * 0.9 * 100 * (1 << 20);
    buckets(6, 0.2, 0.2);
    assertThat(events()).extracting(e -> e.kind).containsExactly("saturated");
    assertThat(events().get(0).numbers[1]).isCloseTo(90.0 * (1 << 20), within(1.0));
    assertThat(events().get(0).numbers[2]).isEqualTo(100.0 * (1 << 20));
  }

  @Test
  void nothingOpensInMaintenanceAndWhatIsOpenSaysSo() throws Exception {
    second = 39_000;
    harness.setProcessingTime(second * 1000);
    buckets(7, 0.95, 0.95);
    assertThat(events()).hasSize(1);
    buckets(94, 0.95, 0.95);
    buckets(1, 1.0, 0.1);
    assertThat(events()).extracting(e -> e.inMaintenance).containsExactly(false, true);
    buckets(100, 1.0, 0.1);
    assertThat(events()).as("saturation is over; hot, but in maintenance").hasSize(3);
    assertThat(events().get(2).state).isEqualTo("recovered");
  }

  @Test
  void bucketsThatComeAgainAddNothing() throws Exception {
    buckets(5, 0.95, 0.95);
    second -= 50;
    buckets(5, 0.95, 0.95);
    assertThat(events()).isEmpty();
    buckets(1, 0.95, 0.95);
    second -= 60;
    buckets(6, 0.95, 0.95);
    assertThat(events()).extracting(e -> e.kind).containsExactly("saturated");
  }

  /** Device a is hot in the buckets from 20 to 39 and from 60 on, all are busy from 45 to 52. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void theOrderOfBucketsChangesNothing(long seed) throws Exception {
    List<Integer> order = new ArrayList<>(IntStream.range(0, 80).boxed().toList());
    Collections.shuffle(order, new Random(seed));
    for (int i : order) {
      boolean isHot = i >= 20 && i < 40 || i >= 60;
      double ofAll = i >= 45 && i < 53 ? 0.95 : 0.1;
      bucket(second + 10 * i, isHot ? 1.0 : ofAll, ofAll);
    }
    assertThat(standing())
        .extracting(e -> e.kind, e -> e.state, e -> e.since / 1_000_000 - second, e -> ended(e))
        .containsExactlyInAnyOrder(
            tuple("hot", "recovered", 200L, 400L),
            tuple("saturated", "recovered", 450L, 530L),
            tuple("hot", "open", 600L, null));
    assertThat(standing().get(0).numbers[0]).isCloseTo(1.0, within(1e-9));
  }

  /** The last version of each event that is not withdrawn, by the time of its beginning. */
  private List<Event> standing() {
    Map<String, Event> last = new HashMap<>();
    for (Event event : events()) {
      Event before = last.put(event.id(), event);
      assertThat(event.version).isGreaterThan(before == null ? 0 : before.version);
    }
    return last.values().stream()
        .filter(e -> !e.state.equals("withdrawn"))
        .sorted(Comparator.comparing(e -> e.since))
        .toList();
  }

  private Long ended(Event event) {
    return event.ended == 0 ? null : event.ended / 1_000_000 - second;
  }

  @Test
  void whatACorrectedBucketRefutesIsWithdrawnAndCanBeToldAgain() throws Exception {
    long began = second;
    buckets(8, 1.0, 0.1);
    assertThat(events()).extracting(e -> e.state).containsExactly("open");
    bucket(began + 30, 0.1, 0.1);
    assertThat(events()).extracting(e -> e.state).containsExactly("open", "withdrawn");
    assertThat(events().get(1).id()).isEqualTo(events().get(0).id());
    assertThat(standing()).isEmpty();
    bucket(began + 30, 1.0, 0.1);
    assertThat(standing()).extracting(e -> e.state).containsExactly("open");
    assertThat(standing().get(0).since).isEqualTo(began * 1_000_000);
  }

  @Test
  void aRecoveryThatALateBucketRefutesIsTakenBack() throws Exception {
    long began = second;
    buckets(400, 1.0, 0.1);
    buckets(3, 0.1, 0.1);
    assertThat(standing()).extracting(e -> e.state).containsExactly("recovered");
    bucket(second - 20, 1.0, 0.1);
    assertThat(standing()).extracting(e -> e.state).containsExactly("open");
    assertThat(standing().get(0).since).as("long settled").isEqualTo(began * 1_000_000);
    buckets(2, 0.1, 0.1);
    assertThat(standing()).extracting(e -> e.state).containsExactly("recovered");
    assertThat(standing().get(0).ended).isEqualTo((second - 30) * 1_000_000);
  }

  @Test
  void whatIsOlderThanTheRetentionIsSettledAndKeptNoLonger() throws Exception {
    long began = second;
    buckets(8, 1.0, 0.1);
    buckets(1000, 0.1, 0.1);
    assertThat(events()).extracting(e -> e.state).containsExactly("open", "recovered");
    assertThat(KeyedState.entries(harness)).as("an hour and a tenth, and one").isLessThan(400);
    bucket(began + 30, 0.1, 0.1);
    bucket(second - 600, 0.2, 0.1);
    assertThat(events()).hasSize(2);
  }

  @Test
  void stateAndTimersReturnToZero() throws Exception {
    buckets(10, 0.95, 0.95);
    assertThat(KeyedState.entries(harness)).isPositive();
    harness.setProcessingTime(second * 1000 + 7_200_000);
    assertThat(events()).extracting(e -> e.state).containsExactly("open", "abandoned");
    assertThat(KeyedState.entries(harness)).isZero();
    assertThat(harness.numProcessingTimeTimers()).isZero();
  }
}
