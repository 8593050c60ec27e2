package org.weir.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.weir.flink.Streams;
import org.weir.flink.clickhouse.Rows;
import org.weir.flink.kafka.KafkaMessage;
import org.weir.flink.kafka.KafkaOut;
import org.weir.flink.kafka.Topics;
import org.weir.flink.testing.CollectingSink;
import org.weir.flink.testing.NeverEnding;
import org.weir.flink.testing.ReadRows;
import org.weir.wire.DeviceSample;
import org.weir.wire.PackedColumns;
import org.weir.wire.StorageLoad;
import org.weir.wire.WireCodec;
import org.weir.wire.WireException;

/** The whole graph on a MiniCluster. */
class StorageAnalysisITCase {

  private static final Duration LONGEST = Duration.ofSeconds(60);
  private static final StorageSettings SETTINGS =
      new StorageSettings(Duration.ofHours(1), Duration.ofMillis(500), Duration.ofMillis(500));
  private static final int TICKS = 40;
  private static final long CLOSING_TICK = 105 + 5 * TICKS + 20;

  private static List<KafkaMessage> samples() {
    List<KafkaMessage> samples = new ArrayList<>();
    for (int i = 0; i < TICKS; i++) {
      samples.add(sample("s1", "a", 105 + 5 * i, 1 + i));
      samples.add(sample("s2", "b", 105 + 5 * i, 1000));
    }
    // A tick of a later bucket, which itself stays open, closes those before it without a wait.
    samples.add(sample("s1", "a", CLOSING_TICK, 0));
    samples.add(sample("s2", "b", CLOSING_TICK, 0));
    return samples;
  }

  private static KafkaMessage sample(String server, String device, long second, double written) {
    DeviceSample sample =
        DeviceSample.newBuilder()
            .setCluster(Ticks.CLUSTER)
            .setServer(server)
            .setTime(second * 1_000_000)
            .setIntervalSeconds(5)
            .setDeviceIds(List.of(device))
            .setDeviceNames(List.of("sda"))
            .setColumns(List.of("bytes_written", "busy_seconds"))
            .setValues(PackedColumns.pack(written, 2.5))
            .setOrigin("live")
            .build();
    byte[] value = WireCodec.of(DeviceSample.class).encode(sample);
    return new KafkaMessage(Topics.DEVICE_SAMPLE, 0, second, second * 1_000_000, value);
  }

  /** The final rows of all tables but that of the samples, whose newest bucket has come. */
  private static Map<String, Map<String, Object>> run(List<KafkaMessage> samples) throws Exception {
    CollectingSink<Rows> bulk = new CollectingSink<>();
    CollectingSink<Rows> results = new CollectingSink<>();
    CollectingSink<KafkaOut> loads = new CollectingSink<>();
    CollectingSink<KafkaOut> deadLetters = new CollectingSink<>();
    StreamExecutionEnvironment env = Streams.environment();
    env.setParallelism(2);
    StorageAnalysisJob.defineWorkflow(
        env,
        new StorageAnalysisJob.Sources(
            env.fromData(samples).uid("samples"),
            NeverEnding.stream(env),
            () -> List.of(ServerLoadFunctionTest.site(1, Ticks.SITE))),
        new StorageAnalysisJob.Sinks(bulk, results, loads, deadLetters),
        SETTINGS);
    JobClient job = env.executeAsync();
    try {
      deadLetters.await(letters -> letters.size() == 1, LONGEST);
      bulk.await(rows -> count(rows) == samples.size() - 1, LONGEST);
      loads.await(StorageAnalysisITCase::hasBothKinds, LONGEST);
      return ReadRows.newestByIdentity(results.await(StorageAnalysisITCase::isWhole, LONGEST));
    } finally {
      job.cancel().get();
    }
  }

  private static int count(List<Rows> blocks) {
    return blocks.stream().mapToInt(b -> b.rowCount).sum();
  }

  private static boolean hasBothKinds(List<KafkaOut> messages) {
    return messages.stream().map(StorageAnalysisITCase::kind).distinct().count() == 2;
  }

  private static String kind(KafkaOut message) {
    try {
      return WireCodec.of(StorageLoad.class).decode(message.value).getKind();
    } catch (WireException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Every tick but the closing ones is in the newest rows of server, device and file system. */
  private static boolean isWhole(List<Rows> blocks) {
    Map<String, Long> ticks = new HashMap<>();
    ReadRows.newestByIdentity(blocks)
        .forEach((id, row) -> ticks.merge(id.split(" ")[0], (Long) row.get("version"), Long::sum));
    return ticks.values().stream().filter(n -> n == 2 * TICKS).count() == 3;
  }

  @Test
  void shuffledAndDuplicatedSamplesGiveTheSameFinalRows() throws Exception {
    KafkaMessage poison = new KafkaMessage(Topics.DEVICE_SAMPLE, 0, 7, 0, new byte[] {1, 2, 3});
    List<KafkaMessage> inOrder = new ArrayList<>(samples());
    inOrder.add(poison);
    List<KafkaMessage> shuffled = new ArrayList<>(inOrder);
    shuffled.addAll(samples().subList(0, 20));
    Collections.shuffle(shuffled, new Random(7));

    Map<String, Map<String, Object>> expected = run(inOrder);
    assertThat(run(shuffled)).isEqualTo(expected);
    double written =
        expected.entrySet().stream()
            .filter(e -> e.getKey().startsWith("filesystem_load"))
            .mapToDouble(e -> (Double) e.getValue().get("bytes_written"))
            .sum();
    assertThat(written).isEqualTo(1000.0 * TICKS + TICKS * (TICKS + 1) / 2.0);
  }
}
