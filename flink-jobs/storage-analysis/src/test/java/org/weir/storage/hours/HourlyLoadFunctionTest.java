package org.weir.storage.hours;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.weir.flink.clickhouse.Rows;
import org.weir.flink.testing.KeyedState;
import org.weir.flink.testing.ReadRows;
import org.weir.load.bucket.FilesystemLoad;
import org.weir.load.bucket.ServerBucket;
import org.weir.load.sample.Columns;
import org.weir.storage.control.StorageSettings;

class HourlyLoadFunctionTest {

  private static final long HOUR = 3600;

  private KeyedOneInputStreamOperatorTestHarness<String, HourPart, Rows> harness;
  private long now = 1_000;

  @BeforeEach
  void open() throws Exception {
    harness =
        new KeyedOneInputStreamOperatorTestHarness<>(
            new KeyedProcessOperator<>(new HourlyLoadFunction(StorageSettings.defaults())),
            HourPart::key,
            Types.STRING);
    harness.open();
    harness.setProcessingTime(now);
  }

  @AfterEach
  void close() throws Exception {
    harness.close();
  }

  /** A bucket of ten seconds of server s1, in which device a wrote and was busy. */
  private static ServerBucket bucket(long second, double bytes, double busySeconds, long samples) {
    ServerBucket bucket = new ServerBucket();
    bucket.cluster = "c";
    bucket.server = "s1";
    bucket.bucketStart = second * 1_000_000;
    bucket.bucketSeconds = 10;
    bucket.deviceIds = new String[] {"a"};
    bucket.sums = new double[Columns.COUNT];
    bucket.sums[Columns.BYTES_WRITTEN] = bytes;
    bucket.sums[Columns.BUSY_SECONDS] = busySeconds;
    bucket.sampledSeconds = new double[] {5.0 * samples};
    bucket.samples = samples;
    bucket.origin = "live";
    return bucket;
  }

  private void send(ServerBucket bucket, ServerBucket before) throws Exception {
    harness.processElement(HourPart.of(bucket, before), 0);
  }

  /** The newest rows by identity, once what has changed is written. */
  private Map<String, Map<String, Object>> rows() throws Exception {
    now += 60_000;
    harness.setProcessingTime(now);
    return ReadRows.newestByIdentity(harness.extractOutputValues());
  }

  private static Map<String, Object> server(Map<String, Map<String, Object>> rows, long hour) {
    return rows.get("server_load_hourly_versions " + hour * HOUR * 1_000_000 + " s1");
  }

  private static Map<String, Object> device(Map<String, Map<String, Object>> rows, long hour) {
    return rows.get("device_load_hourly_versions a " + hour * HOUR * 1_000_000 + " s1");
  }

  @Test
  void anHourIsTheSumOfItsBuckets() throws Exception {
    send(bucket(HOUR - 10, 1, 1, 2), null);
    send(bucket(HOUR, 1000, 10, 2), null);
    send(bucket(HOUR + 20, 500, 4, 2), null);
    Map<String, Map<String, Object>> rows = rows();
    assertThat(server(rows, 1))
        .containsEntry("bytes_written", 1500.0)
        .containsEntry("sampled_seconds", 20.0)
        .containsEntry("util_mean", 0.7)
        .containsEntry("util_max", 1.0)
        .containsEntry("peak_bytes_per_second", 100.0)
        .containsEntry("version", 4L);
    assertThat(device(rows, 1))
        .containsEntry("bytes_written", 1500.0)
        .containsEntry("sampled_seconds", 20.0)
        .containsEntry("util", 0.7)
        .containsEntry("version", 4L);
    assertThat(server(rows, 0)).containsEntry("bytes_written", 1.0);
  }

  @Test
  void aBucketThatALateSampleChangesCorrectsItsHour() throws Exception {
    ServerBucket first = bucket(HOUR, 1000, 5, 1);
    send(first, null);
    send(bucket(HOUR + 10, 10, 1, 2), null);
    assertThat(device(rows(), 1)).containsEntry("bytes_written", 1010.0);
    // Less than before, as when a late sample takes its share of its successor's difference.
    send(bucket(HOUR, 900, 7, 2), first);
    Map<String, Map<String, Object>> rows = rows();
    assertThat(device(rows, 1))
        .containsEntry("bytes_written", 910.0)
        .containsEntry("util", 0.4)
        .containsEntry("version", 4L);
    assertThat(server(rows, 1)).containsEntry("bytes_written", 910.0);
  }

  @Test
  void whatComesAgainAfterItsServerWasForgottenCountsOnce() throws Exception {
    send(bucket(HOUR, 1000, 5, 2), null);
    send(bucket(HOUR, 400, 2, 1), null);
    send(bucket(HOUR, 1000, 5, 2), null);
    assertThat(device(rows(), 1)).containsEntry("bytes_written", 1000.0);
    assertThat(server(rows(), 1)).containsEntry("bytes_written", 1000.0);
  }

  @Test
  void aServerWhoseClockIsFarAheadTakesNothingFromTheHourOfTheOthers() throws Exception {
    send(bucket(10 * HOUR, 1, 1, 2), null);
    send(bucket(15 * HOUR, 100, 1, 2), null);
    rows();
    send(bucket(10 * HOUR + 10, 2, 1, 2), null);
    assertThat(server(rows(), 10)).containsEntry("bytes_written", 3.0).containsEntry("version", 4L);
  }

  /** A bucket of ten seconds of a file system in which so many bytes were written. */
  private void sendOfFilesystem(long second, double bytes, long samples) throws Exception {
    ServerBucket share = bucket(second, bytes, 1, samples);
    share.filesystem = "fs";
    harness.processElement(HourPart.of(FilesystemLoad.of(List.of(share), new HashMap<>())), 0);
  }

  /** As a slower server does, of which hours are still to be read. */
  @Test
  void aBucketThatComesAgainHoursLaterCorrectsItsHourWithTheOthersOfIt() throws Exception {
    sendOfFilesystem(HOUR, 1, 2);
    sendOfFilesystem(HOUR + 10, 2, 2);
    for (long hour = 2; hour < 12; hour++) {
      sendOfFilesystem(hour * HOUR, 1, 2);
      rows();
    }
    sendOfFilesystem(HOUR + 10, 32, 4);
    assertThat(rows().get("filesystem_load_hourly_versions " + HOUR * 1_000_000 + " fs"))
        .containsEntry("bytes_written", 33.0)
        .containsEntry("version", 6L);
  }

  @Test
  void everyColumnIsSet() throws Exception {
    send(bucket(HOUR, 1000, 5, 2), null);
    rows();
    List<Rows> written = harness.extractOutputValues();
    for (String table : List.of("server_load_hourly_versions", "device_load_hourly_versions")) {
      assertThat(ReadRows.of(written, table).get(0).keySet())
          .containsExactlyInAnyOrderElementsOf(ReadRows.columnsToSet(table));
    }
  }

  @Test
  void stateAndTimersReturnToZero() throws Exception {
    for (int i = 0; i < 3000; i++) {
      send(bucket(HOUR + 10 * i, 1, 1, 2), null);
    }
    rows();
    assertThat(KeyedState.entries(harness)).isPositive();
    harness.setProcessingTime(now + Duration.ofHours(3).toMillis());
    assertThat(harness.numProcessingTimeTimers()).isZero();
    assertThat(KeyedState.entries(harness)).isZero();
  }
}
