package org.weir.storage.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.co.CoBroadcastWithKeyedOperator;
import org.apache.flink.streaming.util.KeyedBroadcastOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.weir.flink.kafka.KafkaMessage;
import org.weir.flink.testing.KeyedState;
import org.weir.load.bucket.FilesystemLoad;
import org.weir.load.bucket.ServerBucket;
import org.weir.load.sample.Columns;
import org.weir.load.testing.Samples;
import org.weir.storage.control.Sites;
import org.weir.storage.control.StorageSettings;

class FilesystemLoadFunctionTest {

  private static final StorageSettings SETTINGS =
      new StorageSettings(
          Duration.ofMinutes(10),
          Duration.ofSeconds(5),
          Duration.ofSeconds(10),
          Duration.ofSeconds(60),
          Duration.ofDays(1));

  private KeyedBroadcastOperatorTestHarness<String, ServerBucket, KafkaMessage, FilesystemLoad>
      harness;

  @BeforeEach
  void open() throws Exception {
    harness = closed();
    harness.open();
    harness.setProcessingTime(1_000);
  }

  private static KeyedBroadcastOperatorTestHarness<
          String, ServerBucket, KafkaMessage, FilesystemLoad>
      closed() throws Exception {
    List<KafkaMessage> control = List.of(ServerLoadFunctionTest.site(1, Samples.SITE));
    return new KeyedBroadcastOperatorTestHarness<>(
        new CoBroadcastWithKeyedOperator<>(
            new FilesystemLoadFunction(() -> control, SETTINGS), List.of(Sites.DESCRIPTOR)),
        ServerBucket::filesystemKey,
        Types.STRING,
        128,
        1,
        0);
  }

  @AfterEach
  void close() throws Exception {
    harness.close();
  }

  private static ServerBucket share(
      String server, long bucket, double bytes, long samples, long closedUntil) {
    ServerBucket share = new ServerBucket();
    share.cluster = Samples.CLUSTER;
    share.filesystem = "fs";
    share.server = server;
    share.bucketStart = bucket * 1_000_000;
    share.bucketSeconds = 10;
    share.deviceIds = new String[] {server.equals("s1") ? "a" : "b"};
    share.sums = new double[Columns.COUNT];
    share.sums[Columns.BYTES_READ] = bytes;
    share.sums[Columns.BUSY_SECONDS] = server.equals("s1") ? 2.5 : 7.5;
    share.sampledSeconds = new double[] {10};
    share.samples = samples;
    share.closedUntil = closedUntil * 1_000_000;
    share.origin = "live";
    share.sentAt = 1;
    return share;
  }

  private void send(ServerBucket share) throws Exception {
    harness.processElement(share, 0);
  }

  private List<FilesystemLoad> loads() {
    return harness.extractOutputValues();
  }

  @Test
  void aBucketWaitsForEveryServer() throws Exception {
    send(share("s1", 100, 1, 2, 110));
    assertThat(loads()).isEmpty();
    send(share("s2", 100, 2, 2, 110));
    FilesystemLoad load = loads().get(0);
    assertThat(load.sums[Columns.BYTES_READ]).isEqualTo(3);
    assertThat(load.utilMean).isEqualTo(0.5);
    assertThat(load.utilMax).isEqualTo(0.75);
    assertThat(load.samples).isEqualTo(4);
    assertThat(load.closedUntil).isEqualTo(110_000_000);
    assertThat(load.serversReported).isEqualTo(2);
    assertThat(load.serversExpected).isEqualTo(2);
  }

  @Test
  void theSlowestServerSaysHowFarTheLoadIsClosed() throws Exception {
    send(share("s1", 100, 1, 2, 130));
    send(share("s2", 100, 1, 2, 110));
    send(share("s1", 110, 1, 2, 130));
    assertThat(loads()).hasSize(1);
    assertThat(loads().get(0).closedUntil).isEqualTo(110_000_000);
  }

  @Test
  void aSilentServerHoldsNothingUpForLong() throws Exception {
    send(share("s1", 100, 1, 2, 110));
    harness.setProcessingTime(12_000);
    assertThat(loads()).hasSize(1);
    assertThat(loads().get(0).serversReported).isEqualTo(1);
    assertThat(loads().get(0).closedUntil).isZero();
    send(share("s2", 100, 2, 2, 110));
    assertThat(loads()).hasSize(2);
    assertThat(loads().get(1).samples).isEqualTo(4);
  }

  @Test
  void aShareThatComesTwiceIsNotEmittedAgainButAFullerOneIs() throws Exception {
    send(share("s1", 100, 1, 1, 110));
    send(share("s2", 100, 2, 2, 110));
    send(share("s1", 100, 1, 1, 110));
    assertThat(loads()).hasSize(1);
    send(share("s1", 100, 5, 2, 120));
    assertThat(loads()).hasSize(2);
    assertThat(loads().get(1).sums[Columns.BYTES_READ]).isEqualTo(7);
    assertThat(harness.getSideOutput(FilesystemLoadFunction.VITALS))
        .extracting(record -> record.getValue().numbers[1])
        .as("bytes a second, told again to the watch")
        .containsExactly(0.3, 0.7);
  }

  /** A share of device a alone. */
  private static ServerBucket shareOfA(
      String server, double bytes, double busySeconds, double sampledSeconds) {
    ServerBucket share = share(server, 100, bytes, 1, 110);
    share.deviceIds = new String[] {"a"};
    share.sums[Columns.BUSY_SECONDS] = busySeconds;
    share.sampledSeconds = new double[] {sampledSeconds};
    return share;
  }

  @Test
  void aDeviceThatMovesWithinTheBucketIsOneDeviceWhosePartsAddUp() throws Exception {
    send(shareOfA("s1", 40, 4, 5));
    send(shareOfA("s2", 60, 2, 5));
    FilesystemLoad load = loads().get(0);
    assertThat(load.sums[Columns.BYTES_READ]).isEqualTo(100);
    assertThat(load.utilMean).isEqualTo(0.6);
    ServerBucket row = load.moved.get(0);
    assertThat(load.moved).hasSize(1);
    assertThat(row.total(Columns.BYTES_READ)).isEqualTo(100);
    assertThat(row.server).isEqualTo("s1");
    assertThat(row.samples).as("above the version of each server's own row").isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "40, 4"})
  void aDeviceThatTwoServersSampleAtTheSameTimeCountsOnce(double bytes, double busySeconds)
      throws Exception {
    send(shareOfA("s1", bytes, busySeconds, 10));
    send(shareOfA("s2", 60, 5, 10));
    assertThat(loads().get(0).sums[Columns.BYTES_READ]).isEqualTo(60);
    assertThat(loads().get(0).utilMean).isEqualTo(0.5);
    assertThat(loads().get(0).moved.get(0).server).isEqualTo("s2");
  }

  private static ServerBucket begunAt(long second, ServerBucket share) {
    share.begunAt = second * 1_000_000;
    return share;
  }

  private List<Double> read() {
    return loads().stream().map(load -> load.sums[Columns.BYTES_READ]).toList();
  }

  @Test
  void aServerWhoseClockWasAheadIsWaitedForOnceItIsRight() throws Exception {
    send(share("s1", 7300, 1, 2, 7310));
    send(share("s2", 100, 2, 2, 110));
    assertThat(read()).as("s1 seems to be further").containsExactly(2.0);
    send(begunAt(111, share("s1", 110, 4, 2, 120)));
    send(share("s2", 120, 8, 2, 130));
    assertThat(read()).as("s1 has closed 110, and not 120").containsExactly(2.0, 4.0);
    send(begunAt(111, share("s1", 120, 16, 2, 130)));
    assertThat(read()).containsExactly(2.0, 4.0, 24.0);
    assertThat(loads().get(2).serversReported).isEqualTo(2);
    assertThat(loads().get(2).closedUntil).isEqualTo(130_000_000);
    // Two hours later its right share takes the place of the one that was ahead of its time.
    send(begunAt(111, share("s1", 7300, 32, 2, 7310)));
    send(share("s2", 7300, 64, 2, 7310));
    assertThat(read()).containsExactly(2.0, 4.0, 24.0, 96.0);
    assertThat(loads().get(3).samples).isEqualTo(4);
  }

  @Test
  void whatAServerToldBeforeItsClockWasAheadStays() throws Exception {
    send(share("s1", 100, 1, 2, 110));
    send(share("s1", 7300, 1, 2, 7310));
    send(begunAt(105, share("s1", 100, 4, 1, 110)));
    send(share("s2", 100, 2, 2, 110));
    assertThat(read()).containsExactly(3.0);
  }

  @Test
  void aBucketFarAheadIsNoTroubleOfNow() throws Exception {
    send(share("s1", 7300, 1, 2, 7310));
    send(share("s2", 7300, 2, 2, 7310));
    assertThat(loads()).hasSize(1);
    assertThat(harness.getSideOutput(FilesystemLoadFunction.VITALS)).isNull();
  }

  /** A backlog is read server by server; the retention is ten minutes. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aServerThatIsReadFarBehindTheOthersIsNotMissed(boolean wasHeardBefore) throws Exception {
    if (wasHeardBefore) {
      send(share("s2", 80, 0, 2, 90));
    }
    for (long bucket = 100; bucket < 4_000; bucket += 10) {
      harness.setProcessingTime(1_000 + 10 * bucket);
      send(share("s1", bucket, 1, 2, bucket + 10));
    }
    for (long bucket = 100; bucket < 4_000; bucket += 10) {
      send(share("s2", bucket, 2, 2, bucket + 10));
    }
    Map<Long, Double> last = new TreeMap<>();
    loads().forEach(load -> last.put(load.bucketStart, load.sums[Columns.BYTES_READ]));
    last.remove(80_000_000L);
    assertThat(last).hasSize(390);
    assertThat(last.values()).containsOnly(3.0);
  }

  /** After hours in which the job was down, its first share may come before any timer. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aServerThatIsReadLastAfterAPauseIsNotMissed(boolean timersComeFirst) throws Exception {
    send(share("s1", 80, 0, 2, 90));
    send(share("s2", 80, 0, 2, 90));
    OperatorSubtaskState saved = harness.snapshot(1, 1);
    harness.close();
    harness = closed();
    harness.initializeState(saved);
    harness.setProcessingTime(10_000_000);
    harness.open();
    if (timersComeFirst) {
      harness.setProcessingTime(10_000_001);
    }
    for (long bucket = 100; bucket < 9_000; bucket += 10) {
      send(share("s1", bucket, 1, 2, bucket + 10));
      harness.setProcessingTime(10_000_000 + 10 * bucket);
    }
    assertThat(bytesWith("s2", 100)).isEqualTo(3);
  }

  /** Of the bucket, once this server tells of two bytes in it too. */
  private double bytesWith(String server, long bucket) throws Exception {
    send(share(server, bucket, 2, 2, bucket + 10));
    harness.setProcessingTime(harness.getProcessingTime() + 20_000);
    List<FilesystemLoad> loads =
        loads().stream().filter(load -> load.bucketStart == bucket * 1_000_000).toList();
    return loads.get(loads.size() - 1).sums[Columns.BYTES_READ];
  }

  @Test
  void bucketsDoNotStayForAServerThatIsSilent() throws Exception {
    for (long bucket = 100; bucket < 10_000; bucket += 10) {
      harness.setProcessingTime(bucket * 1_000);
      send(share("s1", bucket, 1, 2, bucket + 10));
    }
    assertThat(bytesWith("s2", 9_500)).as("ten minutes back").isEqualTo(3);
    assertThat(bytesWith("s2", 9_000)).as("gone").isEqualTo(2);
  }

  @Test
  void bucketsDoNotStayForAServerWhoseClockIsDaysBehind() throws Exception {
    long days = Duration.ofDays(3).toSeconds();
    for (long bucket = days; bucket < days + 90_000; bucket += 100) {
      harness.setProcessingTime(bucket * 1_000);
      send(share("s1", bucket, 1, 2, bucket + 10));
      send(share("s2", bucket - days, 1, 2, bucket - days + 10));
    }
    assertThat(bytesWith("s2", days + 10_000)).as("nearly a day back").isEqualTo(3);
    assertThat(bytesWith("s2", days + 1_000)).as("gone").isEqualTo(2);
  }

  @Test
  void stateAndTimersReturnToZero() throws Exception {
    send(share("s1", 100, 1, 2, 110));
    send(share("s2", 110, 1, 2, 120));
    assertThat(KeyedState.entries(harness)).isPositive();
    harness.setProcessingTime(Duration.ofMinutes(20).toMillis());
    assertThat(KeyedState.entries(harness)).isZero();
    assertThat(harness.numProcessingTimeTimers()).isZero();
  }
}
