package org.weir.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
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
import org.weir.job.control.JobSettings;
import org.weir.wire.DeadLetter;
import org.weir.wire.JobResult;
import org.weir.wire.WireCodec;

/** The whole graph on a MiniCluster. */
class JobAnalysisITCase {

  private static final Duration LONGEST = Duration.ofMinutes(5);

  /** Everything comes, so nothing is given up, however slow the machine is. */
  private static final JobSettings PATIENT =
      new JobSettings(
          Duration.ofHours(1),
          Duration.ofHours(1),
          Duration.ofHours(5),
          Duration.ofHours(1),
          Duration.ofHours(1),
          Duration.ofDays(3),
          Duration.ofDays(1),
          Duration.ofHours(1),
          Duration.ofHours(1),
          Duration.ofDays(180),
          Duration.ofMillis(500),
          Duration.ofDays(9));

  private static List<KafkaMessage> logs() {
    List<KafkaMessage> logs = new ArrayList<>(Messages.log("a", 200, 1, 2));
    logs.addAll(Messages.log("b", 5));
    return logs;
  }

  private static List<KafkaMessage> load() {
    List<KafkaMessage> load = new ArrayList<>();
    for (int second = 8; second < 20; second++) {
      load.add(Messages.load(second, second + 1));
      load.add(Messages.serverLoad(second, second + 1, 1, 1L << 30, 0.5));
    }
    return load;
  }

  /** The final rows that are shown once the job's result is settled. */
  private static Map<String, Map<String, Object>> run(int parallelism, Random order)
      throws Exception {
    CollectingSink<Rows> bulk = new CollectingSink<>();
    CollectingSink<Rows> results = new CollectingSink<>();
    CollectingSink<KafkaOut> jobResults = new CollectingSink<>();
    CollectingSink<KafkaOut> deadLetters = new CollectingSink<>();
    StreamExecutionEnvironment env = Streams.environment();
    env.setParallelism(parallelism);
    KafkaMessage poison = new KafkaMessage(Topics.DARSHAN_LOG, 1, 9, 5, new byte[] {9, 9});
    JobAnalysisJob.defineWorkflow(
        env,
        new JobAnalysisJob.Sources(
            env.fromData(mixed(logs(), poison, order)).uid("logs"),
            env.fromData(mixed(submits(), Messages.submit(1), order)).uid("submits"),
            env.fromData(List.of(Messages.manifest(true, "a", "b"))).uid("manifests"),
            env.fromData(mixed(load(), Messages.load(9, 10), order)).uid("load"),
            env.fromData(List.of(deadLetter())).uid("dead-letters"),
            NeverEnding.stream(env),
            JobAnalysisITCase::control),
        new JobAnalysisJob.Sinks(bulk, results, jobResults, deadLetters),
        PATIENT);
    JobClient job = env.executeAsync();
    try {
      assertThat(deadLetters.await(letters -> letters.size() == 1, LONGEST)).hasSize(1);
      jobResults.await(JobAnalysisITCase::isSettled, LONGEST);
      bulk.await(rows -> ReadRows.newestByIdentity(rows).size() == 4, LONGEST);
      List<Rows> rows = results.await(JobAnalysisITCase::hasSettledRow, LONGEST);
      Map<String, Map<String, Object>> newest = ReadRows.newestByIdentity(rows);
      newest.values().removeIf(row -> Integer.valueOf(1).equals(row.get("is_deleted")));
      return newest;
    } finally {
      job.cancel().get();
    }
  }

  /** On this kind of file system a run lies on all devices. */
  private static List<KafkaMessage> control() {
    return List.of(
        Messages.site(1, Messages.SITE.replace("lustre", "gpfs")), Messages.control().get(1));
  }

  private static List<KafkaMessage> submits() {
    return List.of(Messages.submit(1), Messages.submit(2), Messages.submit(3));
  }

  /** In order without a random order, else shuffled and with every third message twice. */
  private static List<KafkaMessage> mixed(
      List<KafkaMessage> messages, KafkaMessage more, Random order) {
    List<KafkaMessage> mixed = new ArrayList<>(messages);
    if (order != null) {
      for (int i = 0; i < messages.size(); i += 3) {
        mixed.add(messages.get(i));
      }
      Collections.shuffle(mixed, order);
    }
    mixed.add(mixed.size() / 2, more);
    return mixed;
  }

  static KafkaMessage deadLetter() {
    return Messages.message(
        Topics.DEAD_LETTER,
        DeadLetter.newBuilder()
            .setId("x")
            .setCluster(Messages.CLUSTER)
            .setSource("sacct")
            .setReason("because")
            .setBytes(ByteBuffer.allocate(0))
            .setTime(1)
            .setOrigin("live")
            .build());
  }

  private static boolean isSettled(List<KafkaOut> messages) {
    return messages.stream().anyMatch(m -> result(m).getSettled());
  }

  private static JobResult result(KafkaOut message) {
    try {
      return WireCodec.of(JobResult.class).decode(message.value);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean hasSettledRow(List<Rows> blocks) {
    List<String> tables = blocks.stream().map(block -> block.table).toList();
    // The rows of a run, then its findings and last its job's result are written in one step.
    boolean resultIsOfTheseRuns =
        tables.lastIndexOf("job_results_versions") > tables.lastIndexOf("runs_versions");
    boolean settled =
        ReadRows.of(blocks, "job_results_versions").stream()
            .anyMatch(row -> row.get("settled").equals(1));
    return settled
        && resultIsOfTheseRuns
        && ReadRows.newestByIdentity(blocks).entrySet().stream()
            .filter(row -> row.getKey().startsWith("runs_versions"))
            .map(Map.Entry::getValue)
            .allMatch(JobAnalysisITCase::hasAllLoad)
        && blocks.stream().anyMatch(b -> b.table.equals("dead_letters_versions"))
        && ReadRows.of(blocks, "log_modules_versions").size() >= 2
        && ReadRows.of(blocks, "job_manifests_versions").size() == 1
        && ReadRows.of(blocks, "scheduler_jobs_versions").stream()
            .anyMatch(row -> row.get("state_rank").equals(3));
  }

  /** Tells whether all samples have come: load closes without some, whose versions come later. */
  private static boolean hasAllLoad(Map<String, Object> run) {
    int secondsFromSubmitToEnd = 30;
    // one of the file system and one of the server in each of the two seconds of its I/O
    int samples = 4;
    long rest = (Long) run.get("version") & ((1L << 26) - 1);
    return run.get("load_state").equals("closed") && rest == secondsFromSubmitToEnd + samples;
  }

  @Test
  void anyOrderDuplicatesAndParallelismEndInTheSameRows() throws Exception {
    Map<String, Map<String, Object>> expected = run(2, null);
    assertThat(expected.get("runs_versions a"))
        .containsEntry("job_join", "joined")
        .containsEntry("load_state", "closed")
        .containsEntry("load_devices", List.of("d"))
        .containsEntry("load_util_mean", 0.5)
        .containsEntry("load_busiest_device", "d")
        .containsEntry("findings", List.of("many_opens"));
    assertThat(expected.get("job_results_versions " + Messages.JOB_UID))
        .containsEntry("logs_analysed", 2);
    assertThat(run(1, new Random(3))).isEqualTo(expected);
    assertThat(run(4, new Random(4))).isEqualTo(expected);
  }
}
