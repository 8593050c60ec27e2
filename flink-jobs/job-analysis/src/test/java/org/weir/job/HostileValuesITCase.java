package org.weir.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.weir.flink.Streams;
import org.weir.flink.clickhouse.Rows;
import org.weir.flink.kafka.KafkaMessage;
import org.weir.flink.kafka.KafkaOut;
import org.weir.flink.kafka.Topics;
import org.weir.flink.testing.CollectingSink;
import org.weir.flink.testing.Hostile;
import org.weir.flink.testing.NeverEnding;
import org.weir.flink.testing.ReadRows;
import org.weir.job.control.JobSettings;
import org.weir.wire.DarshanLogMessage;
import org.weir.wire.DeadLetter;
import org.weir.wire.JobManifest;
import org.weir.wire.LogBatch;
import org.weir.wire.LogEnd;
import org.weir.wire.LogHeader;

/**
 * Values that no sound producer sends do not stop the job, and what is sound beside them is judged.
 */
class HostileValuesITCase {

  private static final Duration LONGEST = Duration.ofMinutes(3);
  private static final int MESSAGES = Integer.getInteger("weir.hostile.messages", 2_000);
  private static final long SEED = Long.getLong("weir.hostile.seed", 20_261_124);

  /** Whatever waits for something is given up within a second. */
  private static final Duration SHORT = Duration.ofMillis(300);

  private static final JobSettings HASTY =
      new JobSettings(
          SHORT,
          SHORT,
          SHORT.multipliedBy(3),
          SHORT.multipliedBy(3),
          SHORT,
          Duration.ofDays(3),
          Duration.ofDays(1),
          SHORT,
          SHORT,
          Duration.ofDays(180),
          SHORT,
          Duration.ofDays(9));

  /** Logs "h..." of other jobs, whose parts are hostile in any mixture. */
  private static List<KafkaMessage> logs(Hostile hostile) {
    List<KafkaMessage> logs = new ArrayList<>();
    for (int i = 0; i < MESSAGES; i++) {
      LogHeader header = Messages.header(null);
      LogBatch batch = Messages.batch(0, 200);
      LogEnd end = Messages.end(1);
      header.setJobId(1000 + i);
      batch.setJobId(1000 + i);
      header = i % 3 == 0 ? hostile.of(header) : header;
      batch = i % 3 != 2 ? hostile.of(batch) : batch;
      end = i % 3 == 2 ? hostile.of(end) : end;
      for (SpecificRecordBase body : List.of(header, batch, end)) {
        logs.add(
            Messages.message(Topics.DARSHAN_LOG, new DarshanLogMessage("h" + i, "live", body)));
      }
    }
    return logs;
  }

  private static List<KafkaMessage> submits(Hostile hostile) {
    return repeated(
        i -> {
          var job = Messages.schedulerJob(i % 4);
          job.setJobId(1000 + i);
          job.setJobUid("u" + i);
          return Messages.message(Topics.SCHEDULER_JOB, hostile.of(job));
        });
  }

  private static List<KafkaMessage> manifests(Hostile hostile) {
    return repeated(
        i ->
            Messages.message(
                Topics.JOB_MANIFEST,
                hostile.of(
                    new JobManifest(
                        Messages.CLUSTER,
                        1000L + i,
                        "u" + i,
                        Messages.micros(40),
                        true,
                        List.of("h" + i, "h" + (i + 1)),
                        "live"))));
  }

  private static List<KafkaMessage> load(Hostile hostile) {
    return repeated(
        i -> {
          var load = Messages.storageLoad(8 + i % 12, 20);
          load.setSubject("other");
          if (i % 2 == 0) {
            load.setKind("server");
            load.setDeviceIds(List.of("c", "d"));
            load.setDeviceColumns(List.of("bytes_read", "bytes_written", "util"));
            load.setDeviceValues(org.weir.wire.PackedColumns.pack(0.0, 0.0, 0.0, 1e9, 0.0, 0.5));
          }
          return Messages.message(Topics.STORAGE_LOAD, hostile.of(load));
        });
  }

  private static List<KafkaMessage> deadLetters(Hostile hostile) {
    return repeated(
        i ->
            Messages.message(
                Topics.DEAD_LETTER,
                hostile.of(
                    DeadLetter.newBuilder()
                        .setId("x" + i)
                        .setCluster(Messages.CLUSTER)
                        .setSource("sacct")
                        .setReason("because")
                        .setBytes(java.nio.ByteBuffer.allocate(8))
                        .setTime(1)
                        .setOrigin("live")
                        .build())));
  }

  private static List<KafkaMessage> repeated(java.util.function.IntFunction<KafkaMessage> message) {
    return Stream.iterate(0, i -> i + 1)
        .limit(MESSAGES)
        .map(message::apply)
        .collect(java.util.stream.Collectors.toCollection(ArrayList::new));
  }

  private static List<KafkaMessage> then(List<KafkaMessage> some, List<KafkaMessage> more) {
    List<KafkaMessage> all = new ArrayList<>(some);
    all.addAll(more);
    return all;
  }

  @Test
  void theJobGoesOn() throws Exception {
    Hostile hostile = new Hostile(SEED);
    CollectingSink<Rows> results = new CollectingSink<>();
    StreamExecutionEnvironment env = Streams.environment();
    env.setParallelism(1);
    List<KafkaMessage> sound = then(Messages.log("a", 200), Messages.log("z", 200));
    JobAnalysisJob.defineWorkflow(
        env,
        new JobAnalysisJob.Sources(
            env.fromData(then(logs(hostile), sound)).uid("logs"),
            env.fromData(then(submits(hostile), List.of(Messages.submit(3)))).uid("submits"),
            env.fromData(then(manifests(hostile), List.of(Messages.manifest(true, "a", "z"))))
                .uid("manifests"),
            env.fromData(then(load(hostile), List.of(Messages.load(8, 9)))).uid("load"),
            env.fromData(deadLetters(hostile)).uid("dead-letters"),
            NeverEnding.stream(env),
            Messages::control),
        new JobAnalysisJob.Sinks(
            new CollectingSink<Rows>(),
            results,
            new CollectingSink<KafkaOut>(),
            new CollectingSink<KafkaOut>()),
        HASTY);
    JobClient job = env.executeAsync();
    try {
      results.await(HostileValuesITCase::endsWithTheSoundJob, LONGEST);
      assertThat(job.getJobStatus().get()).isEqualTo(JobStatus.RUNNING);
    } finally {
      if (job.getJobStatus().get() == JobStatus.RUNNING) {
        job.cancel().get();
      } else {
        job.getJobExecutionResult().get();
      }
    }
  }

  private static boolean endsWithTheSoundJob(List<Rows> blocks) {
    List<Rows> last = blocks.subList(Math.max(0, blocks.size() - 1), blocks.size());
    return ReadRows.of(last, "job_results_versions").stream()
        .anyMatch(
            row -> Messages.JOB_UID.equals(row.get("job_uid")) && row.get("settled").equals(1));
  }
}
