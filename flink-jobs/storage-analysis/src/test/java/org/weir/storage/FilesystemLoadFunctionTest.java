package org.weir.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.operators.co.CoBroadcastWithKeyedOperator;
import org.apache.flink.streaming.util.KeyedBroadcastOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.weir.flink.kafka.KafkaMessage;
import org.weir.flink.testing.KeyedState;

class FilesystemLoadFunctionTest {

  private static final StorageSettings SETTINGS =
      new StorageSettings(Duration.ofMinutes(10), Duration.ofSeconds(5), Duration.ofSeconds(10));

  private KeyedBroadcastOperatorTestHarness<String, FilesystemShare, KafkaMessage, FilesystemLoad>
      harness;

  @BeforeEach
  void open() throws Exception {
    List<KafkaMessage> control = List.of(ServerLoadFunctionTest.site(1, Ticks.SITE));
    harness =
        new KeyedBroadcastOperatorTestHarness<>(
            new CoBroadcastWithKeyedOperator<>(
                new FilesystemLoadFunction(() -> control, SETTINGS), List.of(Sites.DESCRIPTOR)),
            share -> share.cluster + "/" + share.filesystem,
            Types.STRING,
            128,
            1,
            0);
    harness.open();
    harness.setProcessingTime(1_000);
  }

  @AfterEach
  void close() throws Exception {
    harness.close();
  }

  private static FilesystemShare share(
      String server, long bucket, double bytes, long ticks, long closedUntil) {
    FilesystemShare share = new FilesystemShare();
    share.cluster = Ticks.CLUSTER;
    share.filesystem = "fs";
    share.server = server;
    share.bucketStart = bucket * 1_000_000;
    share.bucketSeconds = 10;
    share.sums = new double[Columns.COUNT];
    share.sums[Columns.BYTES_READ] = bytes;
    share.util = new double[] {server.equals("s1") ? 0.25 : 0.75};
    share.ticks = ticks;
    share.closedUntil = closedUntil * 1_000_000;
    share.origin = "live";
    share.sentAt = 1;
    return share;
  }

  private void send(FilesystemShare share) throws Exception {
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
    assertThat(load.ticks).isEqualTo(4);
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
    assertThat(loads().get(1).ticks).isEqualTo(4);
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
