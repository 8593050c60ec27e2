package org.weir.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.connector.datagen.source.GeneratorFunction;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.weir.flink.Streams;
import org.weir.flink.clickhouse.Rows;
import org.weir.flink.kafka.KafkaMessage;
import org.weir.flink.kafka.KafkaOut;
import org.weir.flink.kafka.Topics;
import org.weir.flink.testing.CollectingSink;
import org.weir.flink.testing.NeverEnding;
import org.weir.flink.testing.ReadRows;
import org.weir.load.testing.Samples;
import org.weir.storage.control.StorageSettings;
import org.weir.storage.load.ServerLoadFunctionTest;
import org.weir.wire.DeviceSample;
import org.weir.wire.Identity;
import org.weir.wire.JobLive;
import org.weir.wire.PackedColumns;
import org.weir.wire.StorageLoad;
import org.weir.wire.TargetLive;
import org.weir.wire.WireCodec;
import org.weir.wire.WireException;

/** The whole graph on a MiniCluster. */
class StorageAnalysisITCase {

  private static final Duration LONGEST = Duration.ofMinutes(5);
  private static final StorageSettings SETTINGS =
      new StorageSettings(
          Duration.ofHours(1),
          Duration.ofMillis(500),
          Duration.ofMillis(500),
          Duration.ofMillis(200),
          Duration.ofDays(1));

  /** Second of the first sample: 105 s after the start of 2026, UTC. */
  private static final long FIRST_SAMPLE = 1_767_225_600L + 105;

  private static final int SAMPLES = 40;
  private static final long CLOSING_SAMPLE = FIRST_SAMPLE + 5 * SAMPLES + 20;

  private static final int MOVES_AT = 21;

  /** Samples of one server that are worked off before another's first one. */
  private static final int READ_AHEAD = 30;

  /** Each server has a device of its own; w moves from s1 to s2 in the middle of a bucket. */
  private static List<KafkaMessage> samples() {
    List<KafkaMessage> samples = new ArrayList<>();
    for (int i = 0; i < SAMPLES; i++) {
      long second = FIRST_SAMPLE + 5 * i;
      samples.add(
          i < MOVES_AT
              ? sample("s1", second, List.of("a", "w"), 1 + i, 2.5, 100, 2.5)
              : sample("s1", second, List.of("a"), 1 + i, 2.5));
      samples.add(
          i < MOVES_AT
              ? sample("s2", second, List.of("b"), 1000, 2.5)
              : sample("s2", second, List.of("b", "w"), 1000, 2.5, 100, 2.5));
    }
    // A sample of a later bucket, which itself stays open, closes those before it without a wait.
    samples.add(sample("s1", CLOSING_SAMPLE, List.of("a"), 0, 0));
    samples.add(sample("s2", CLOSING_SAMPLE, List.of("b"), 0, 0));
    return samples;
  }

  /**
   * A message of non-cumulative values.
   *
   * @param values of each device what it wrote and how long it was busy
   */
  private static KafkaMessage sample(
      String server, long second, List<String> devices, double... values) {
    double[] columns = new double[values.length];
    for (int device = 0; device < devices.size(); device++) {
      columns[device] = values[2 * device];
      columns[devices.size() + device] = values[2 * device + 1];
    }
    DeviceSample sample =
        DeviceSample.newBuilder()
            .setCluster(Samples.CLUSTER)
            .setServer(server)
            .setTime(second * 1_000_000)
            .setIntervalSeconds(5)
            .setDeviceIds(devices)
            .setDeviceNames(devices)
            .setColumns(List.of("bytes_written", "busy_seconds"))
            .setValues(PackedColumns.pack(columns))
            .setOrigin("live")
            .build();
    byte[] value = WireCodec.of(DeviceSample.class).encode(sample);
    return new KafkaMessage(Topics.DEVICE_SAMPLE, 0, second, sample.getTime(), value);
  }

  private static final KafkaMessage LOOK = look("reads");
  private static final KafkaMessage BROKEN_LOOK = look("speed");

  /** A look at a job's two rows on one server, with one column of values. */
  private static KafkaMessage look(String column) {
    JobLive look =
        JobLive.newBuilder()
            .setCluster("c")
            .setJobId(7)
            .setServer("s1")
            .setTime(1_790_000_000_000_000L)
            .setTargets(List.of("fs-OST0000", "fs-OST0001"))
            .setJobKeys(List.of("7", "7"))
            .setColumns(List.of(column))
            .setValues(PackedColumns.pack(1.0, 2.0))
            .setOrigin("live")
            .build();
    byte[] value = WireCodec.of(JobLive.class).encode(look);
    return new KafkaMessage(Topics.JOB_LIVE, 0, 0, 1_790_000_000_000_000L, value);
  }

  private static final KafkaMessage TARGETS = targets(List.of(List.of(4096L, 8192L), List.of()));
  private static final KafkaMessage BROKEN_TARGETS = targets(List.of(List.of(4096L), List.of()));

  /** A look at the targets of one server: an OST that read, an MDT, the MGS. */
  private static KafkaMessage targets(List<List<Long>> sizes) {
    TargetLive look =
        TargetLive.newBuilder()
            .setCluster("c")
            .setServer("s1")
            .setTime(1_790_000_000_000_000L)
            .setTargets(List.of("fs-OST0000", "fs-MDT0000"))
            .setColumns(List.of("bytes_read", "other_operations"))
            .setValues(PackedColumns.pack(4096.0, 0.0, 0.0, 5.0))
            .setSizeTargets(List.of("fs-OST0000", "MGS"))
            .setSizeBytes(sizes)
            .setDiskReads(List.of(List.of(1L, 2L), List.of()))
            .setDiskWrites(List.of(List.of(0L, 0L), List.of()))
            .setOrigin("live")
            .build();
    byte[] value = WireCodec.of(TargetLive.class).encode(look);
    return new KafkaMessage(Topics.TARGET_LIVE, 0, 0, 1_790_000_000_000_000L, value);
  }

  /** The final rows of all tables but that of the samples, whose newest bucket has come. */
  private static Map<String, Map<String, Object>> run(List<KafkaMessage> samples, int parallelism)
      throws Exception {
    CollectingSink<Rows> bulk = new CollectingSink<>();
    CollectingSink<Rows> results = new CollectingSink<>();
    CollectingSink<KafkaOut> loads = new CollectingSink<>();
    CollectingSink<KafkaOut> events = new CollectingSink<>();
    CollectingSink<KafkaOut> deadLetters = new CollectingSink<>();
    StreamExecutionEnvironment env = Streams.environment();
    env.setParallelism(parallelism);
    StorageAnalysisJob.defineWorkflow(
        env,
        new StorageAnalysisJob.Sources(
            env.fromData(samples).uid("samples"),
            env.fromData(LOOK, BROKEN_LOOK).uid("jobs-live"),
            env.fromData(TARGETS, BROKEN_TARGETS).uid("targets-live"),
            NeverEnding.stream(env),
            () -> List.of(ServerLoadFunctionTest.site(1, Samples.SITE))),
        new StorageAnalysisJob.Sinks(bulk, results, loads, events, deadLetters),
        SETTINGS);
    JobClient job = env.executeAsync();
    try {
      deadLetters.await(letters -> letters.size() == 3, LONGEST);
      int devices = samples.stream().mapToInt(StorageAnalysisITCase::devices).sum();
      List<Rows> landed = bulk.await(rows -> count(rows) == devices + 2 + 2 + 2, LONGEST);
      assertThat(ReadRows.of(landed, "job_live_versions"))
          .extracting(row -> row.get("target"), row -> row.get("reads"), row -> row.get("writes"))
          .containsExactly(tuple("fs-OST0000", 1.0, null), tuple("fs-OST0001", 2.0, null));
      assertThat(ReadRows.of(landed, "target_live_versions"))
          .extracting(
              row -> row.get("target"),
              row -> row.get("bytes_read"),
              row -> row.get("other_operations"),
              row -> row.get("writes"))
          .containsExactly(
              tuple("fs-OST0000", 4096.0, 0.0, null), tuple("fs-MDT0000", 0.0, 5.0, null));
      assertThat(ReadRows.of(landed, "target_io_sizes_versions"))
          .extracting(
              row -> row.get("target"),
              row -> row.get("size_bytes"),
              row -> row.get("disk_reads"),
              row -> row.get("disk_writes"))
          .containsExactly(
              tuple("fs-OST0000", List.of(4096L, 8192L), List.of(1L, 2L), List.of(0L, 0L)),
              tuple("MGS", List.of(), List.of(), List.of()));
      loads.await(StorageAnalysisITCase::hasBothKinds, LONGEST);
      return ReadRows.newestByIdentity(results.await(StorageAnalysisITCase::isWhole, LONGEST));
    } finally {
      job.cancel().get();
    }
  }

  private static int devices(KafkaMessage message) {
    try {
      return WireCodec.of(DeviceSample.class).decode(message.value).getDeviceIds().size();
    } catch (WireException poison) {
      return 0;
    }
  }

  private static int count(List<Rows> blocks) {
    return blocks.stream().mapToInt(b -> b.rowCount).sum();
  }

  private static boolean hasBothKinds(List<KafkaOut> messages) {
    return messages.stream().map(m -> load(m).getKind()).distinct().count() == 2;
  }

  private static StorageLoad load(KafkaOut message) {
    try {
      return WireCodec.of(StorageLoad.class).decode(message.value);
    } catch (WireException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Every sample but the closing ones is in the newest rows of servers, file system and hours. */
  private static boolean isWhole(List<Rows> blocks) {
    Map<String, Long> samples = new HashMap<>();
    ReadRows.newestByIdentity(blocks)
        .forEach(
            (id, row) -> samples.merge(id.split(" ")[0], (Long) row.get("version"), Long::sum));
    return samples.equals(
        Map.of(
            "server_load_versions", 2L * SAMPLES,
            "filesystem_load_versions", 2L * SAMPLES,
            "server_load_hourly_versions", 2L * SAMPLES,
            "filesystem_load_hourly_versions", 2L * SAMPLES,
            // In the bucket in which w moves its version counts the two samples of both servers.
            "device_load_versions", 3L * SAMPLES + 2,
            // In the hour w has a row for each server.
            "device_load_hourly_versions", 4L * SAMPLES));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void inAnyOrderAndWithDuplicatesTheFinalRowsAreTheSame(int parallelism) throws Exception {
    KafkaMessage poison = new KafkaMessage(Topics.DEVICE_SAMPLE, 0, 7, 0, new byte[] {1, 2, 3});
    List<KafkaMessage> shuffled = new ArrayList<>(samples());
    shuffled.add(poison);
    shuffled.addAll(samples().subList(0, 20));
    Collections.shuffle(shuffled, new Random(parallelism));

    Map<String, Map<String, Object>> rows = run(shuffled, parallelism);

    double ofA = SAMPLES * (SAMPLES + 1) / 2.0;
    double ofB = 1000.0 * SAMPLES;
    double ofW = 100.0 * SAMPLES;
    for (String hourly : List.of("", "_hourly")) {
      assertThat(written(rows, "filesystem_load" + hourly, "")).isEqualTo(ofA + ofB + ofW);
      assertThat(written(rows, "server_load" + hourly, "")).isEqualTo(ofA + ofB + ofW);
      assertThat(written(rows, "device_load" + hourly, "a")).isEqualTo(ofA);
      assertThat(written(rows, "device_load" + hourly, "b")).isEqualTo(ofB);
      assertThat(written(rows, "device_load" + hourly, "w")).isEqualTo(ofW);
    }
    assertThat(rows.values().stream().filter(r -> "w".equals(r.get("device_id"))))
        .allMatch(row -> row.get("util").equals(0.5));
    assertThat(rows.values().stream().filter(r -> r.containsKey("filesystem")))
        .allMatch(row -> row.get("util_mean").equals(0.5));
  }

  /** Samples of a server, ten minutes apart. */
  private static List<KafkaMessage> sparse(String server, String device, int from, int to) {
    List<KafkaMessage> samples = new ArrayList<>();
    for (int i = from; i < to; i++) {
      double bytes = server.equals("s1") ? 1 : 1000;
      samples.add(sample(server, FIRST_SAMPLE + 600L * i, List.of(device), bytes, 2.5));
    }
    return samples;
  }

  /** What the newest rows of the file system's buckets say was written in each. */
  private static List<Double> writtenByBucket(List<Rows> blocks) {
    return ReadRows.newestByIdentity(blocks).entrySet().stream()
        .filter(row -> row.getKey().startsWith("filesystem_load_versions"))
        .map(row -> (Double) row.getValue().get("bytes_written"))
        .toList();
  }

  private static long bucketsWithS2(List<Rows> blocks) {
    return writtenByBucket(blocks).stream().filter(written -> written >= 1000).count();
  }

  /** Hours of one partition are worked off before the other is read; the retention is an hour. */
  @Test
  void aServerWhosePartitionIsReadLastIsInTheLoadOfTheFilesystem() throws Exception {
    List<KafkaMessage> later = new ArrayList<>(sparse("s1", "a", READ_AHEAD, SAMPLES + 1));
    later.addAll(sparse("s2", "b", 0, SAMPLES + 1));
    CollectingSink<Rows> results = new CollectingSink<>();
    StreamExecutionEnvironment env = Streams.environment();
    env.setParallelism(1);
    StorageAnalysisJob.defineWorkflow(
        env,
        new StorageAnalysisJob.Sources(
            env.fromData(sparse("s1", "a", 0, READ_AHEAD))
                .uid("samples")
                .union(Gate.stream(env, later)),
            env.fromData(LOOK).uid("jobs-live"),
            env.fromData(TARGETS).uid("targets-live"),
            NeverEnding.stream(env),
            () -> List.of(ServerLoadFunctionTest.site(1, Samples.SITE))),
        new StorageAnalysisJob.Sinks(
            new CollectingSink<>(),
            results,
            new CollectingSink<>(),
            new CollectingSink<>(),
            new CollectingSink<>()),
        SETTINGS);
    JobClient job = env.executeAsync();
    try {
      results.await(b -> writtenByBucket(b).size() == READ_AHEAD, LONGEST);
      Gate.opened.countDown();
      // The last sample of each is of a bucket that stays open.
      List<Rows> blocks = results.await(b -> bucketsWithS2(b) >= SAMPLES, LONGEST);
      assertThat(writtenByBucket(blocks))
          .filteredOn(w -> w >= 1000)
          .hasSize(SAMPLES)
          .containsOnly(1001.0);
    } finally {
      job.cancel().get();
    }
  }

  private static double written(
      Map<String, Map<String, Object>> rows, String table, String device) {
    return rows.entrySet().stream()
        .filter(e -> e.getKey().startsWith(table + "_versions"))
        .filter(e -> device.isEmpty() || device.equals(e.getValue().get("device_id")))
        .mapToDouble(e -> (Double) e.getValue().get("bytes_written"))
        .sum();
  }

  /** A site that misses nobody while a slow machine sets out, and one that misses whoever rests. */
  private static final KafkaMessage PATIENT_SITE = liveSite(1, 40);

  private static final KafkaMessage IMPATIENT_SITE = liveSite(2, 1);

  private static KafkaMessage liveSite(int revision, int silentSeconds) {
    String site =
        """
      {"cluster": "c", "load_bucket_seconds": 10,
       "servers": [{"name": "s1", "sample_interval_seconds": 0.1},
                   {"name": "s2", "sample_interval_seconds": 0.1},
                   {"name": "never", "sample_interval_seconds": 0.1}],
       "file_systems": [{"id": "fs", "kind": "lustre", "mount_prefixes": ["/fs"],
                         "devices": {"s1": ["a", "w", "gone"], "s2": ["b"]}}],
       "storage_events": {"silent_seconds": SILENT}}
      """;
    return ServerLoadFunctionTest.site(
        revision, site.replace("SILENT", Integer.toString(silentSeconds)));
  }

  /** Gives messages once the test lets it. */
  private static final class Gate implements GeneratorFunction<Long, KafkaMessage> {

    private static final long serialVersionUID = 1L;
    private static volatile CountDownLatch opened = new CountDownLatch(1);
    private static volatile List<KafkaMessage> messages;

    @Override
    public KafkaMessage map(Long index) throws InterruptedException {
      opened.await();
      return messages.get(index.intValue());
    }

    static DataStream<KafkaMessage> stream(
        StreamExecutionEnvironment env, List<KafkaMessage> messages) {
      opened = new CountDownLatch(1);
      Gate.messages = messages;
      return env.fromSource(
              new DataGeneratorSource<>(
                  new Gate(), messages.size(), TypeInformation.of(KafkaMessage.class)),
              WatermarkStrategy.noWatermarks(),
              "gate")
          .uid("gate")
          .setParallelism(1);
    }
  }

  /** Whether a bucket of both servers is closed: then both their samples have been seen. */
  private static boolean bothHaveClosedABucket(List<KafkaOut> messages) {
    return messages.stream()
            .map(StorageAnalysisITCase::load)
            .filter(load -> load.getClosedUntil() > load.getBucketStart())
            .map(StorageLoad::getSubject)
            .filter(List.of("s1", "s2")::contains)
            .distinct()
            .count()
        == 2;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void whatIsMissingIsToldOnceAndWhatHasMovedIsNot(int parallelism) throws Exception {
    long now = System.currentTimeMillis() / 1000;
    List<KafkaMessage> samples =
        List.of(
            sample("s1", now - 20, List.of("a", "w"), 1, 1, 1, 1),
            sample("s2", now - 20, List.of("b"), 1, 1),
            sample("s1", now - 10, List.of("a"), 1, 1),
            sample("s2", now - 10, List.of("b", "w"), 1, 1, 1, 1));
    CollectingSink<KafkaOut> loads = new CollectingSink<>();
    CollectingSink<Rows> results = new CollectingSink<>();
    CollectingSink<KafkaOut> events = new CollectingSink<>();
    StreamExecutionEnvironment env = Streams.environment();
    env.setParallelism(parallelism);
    StorageAnalysisJob.defineWorkflow(
        env,
        new StorageAnalysisJob.Sources(
            env.fromData(samples).uid("samples"),
            env.fromData(LOOK).uid("jobs-live"),
            env.fromData(TARGETS).uid("targets-live"),
            Gate.stream(env, List.of(IMPATIENT_SITE)).union(NeverEnding.stream(env)),
            () -> List.of(PATIENT_SITE)),
        new StorageAnalysisJob.Sinks(
            new CollectingSink<>(), results, loads, events, new CollectingSink<>()),
        SETTINGS);
    JobClient job = env.executeAsync();
    try {
      loads.await(StorageAnalysisITCase::bothHaveClosedABucket, LONGEST);
      Gate.opened.countDown();
      List<String> told =
          events.await(messages -> messages.size() == 4, LONGEST).stream()
              .map(message -> new String(message.key, UTF_8))
              .toList();
      assertThat(told)
          .containsExactlyInAnyOrder(
              "c/server/s1", "c/server/s2", "c/server/never", "c/device/gone");
      List<Rows> blocks =
          results.await(b -> ReadRows.of(b, "storage_events_versions").size() == 4, LONGEST);
      assertThat(ReadRows.of(blocks, "storage_events_versions"))
          .extracting(row -> row.get("event_id"))
          .contains(Identity.storageEventId("c", "silent", "server", "s1", (now - 10) * 1_000_000));
    } finally {
      job.cancel().get();
    }
  }
}
