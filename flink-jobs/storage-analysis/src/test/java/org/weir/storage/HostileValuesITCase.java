package org.weir.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.weir.flink.Streams;
import org.weir.flink.clickhouse.Rows;
import org.weir.flink.kafka.KafkaMessage;
import org.weir.flink.kafka.Topics;
import org.weir.flink.testing.CollectingSink;
import org.weir.flink.testing.Hostile;
import org.weir.flink.testing.NeverEnding;
import org.weir.flink.testing.ReadRows;
import org.weir.load.testing.Samples;
import org.weir.storage.control.StorageSettings;
import org.weir.storage.load.ServerLoadFunctionTest;
import org.weir.wire.DeviceSample;
import org.weir.wire.JobLive;
import org.weir.wire.PackedColumns;
import org.weir.wire.TargetLive;
import org.weir.wire.WireCodec;

/** Values that no sound producer sends do not stop the job, and sound servers have their load. */
class HostileValuesITCase {

  private static final Duration LONGEST = Duration.ofMinutes(3);
  private static final int MESSAGES = Integer.getInteger("weir.hostile.messages", 2_000);
  private static final long SEED = Long.getLong("weir.hostile.seed", 20_261_124);

  /** 2026-01-01 00:00:00 UTC, microseconds. */
  private static final long T0 = 1_767_225_600_000_000L;

  private static final int SERVERS = 20;
  private static final int SAMPLES = 20;
  private static final double WRITTEN = 12_345;
  private static final StorageSettings HASTY =
      new StorageSettings(
          Duration.ofHours(1),
          Duration.ofMillis(300),
          Duration.ofMillis(300),
          Duration.ofMillis(200),
          Duration.ofDays(1));

  private final Hostile hostile = new Hostile(SEED);

  /** Of servers that the site does not list, in samples of 5 s. */
  private KafkaMessage hostileSample(int number) {
    DeviceSample sample = sample("x" + number % SERVERS, 105 + 5L * (number / SERVERS), "d", "e");
    if (number % 5 == 0) {
      sample.setCumulative(true);
    }
    return message(Topics.DEVICE_SAMPLE, hostile.of(sample), sample.getTime());
  }

  private static DeviceSample sample(String server, long second, String... devices) {
    double[] values = new double[2 * devices.length];
    for (int device = 0; device < devices.length; device++) {
      values[device] = WRITTEN;
      values[devices.length + device] = 2.5;
    }
    return DeviceSample.newBuilder()
        .setCluster(Samples.CLUSTER)
        .setServer(server)
        .setTime(T0 + second * 1_000_000)
        .setIntervalSeconds(5)
        .setDeviceIds(List.of(devices))
        .setDeviceNames(List.of(devices))
        .setColumns(List.of("bytes_written", "busy_seconds"))
        .setValues(PackedColumns.pack(values))
        .setOrigin("live")
        .build();
  }

  private KafkaMessage hostileJob(int number) {
    JobLive look =
        JobLive.newBuilder()
            .setCluster(Samples.CLUSTER)
            .setJobId(number)
            .setServer("s1")
            .setTime(1_790_000_000_000_000L)
            .setTargets(List.of("fs-OST0000", "fs-OST0001"))
            .setJobKeys(List.of("7", "7"))
            .setColumns(List.of("reads"))
            .setValues(PackedColumns.pack(1.0, 2.0))
            .setOrigin("live")
            .build();
    return message(Topics.JOB_LIVE, hostile.of(look), look.getTime());
  }

  private KafkaMessage hostileTarget(int number) {
    TargetLive look =
        TargetLive.newBuilder()
            .setCluster(Samples.CLUSTER)
            .setServer("s" + number)
            .setTime(1_790_000_000_000_000L)
            .setTargets(List.of("fs-OST0000", "fs-MDT0000"))
            .setColumns(List.of("bytes_read", "other_operations"))
            .setValues(PackedColumns.pack(4096.0, 0.0, 0.0, 5.0))
            .setSizeTargets(List.of("fs-OST0000", "MGS"))
            .setSizeBytes(List.of(List.of(4096L, 8192L), List.of()))
            .setDiskReads(List.of(List.of(1L, 2L), List.of()))
            .setDiskWrites(List.of(List.of(0L, 0L), List.of()))
            .setOrigin("live")
            .build();
    return message(Topics.TARGET_LIVE, hostile.of(look), look.getTime());
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static KafkaMessage message(String topic, SpecificRecordBase record, long sentAt) {
    byte[] value = ((WireCodec) WireCodec.of((Class) record.getClass())).encode(record);
    return new KafkaMessage(topic, 0, 0, sentAt, value);
  }

  private static List<KafkaMessage> many(IntFunction<KafkaMessage> message) {
    return new ArrayList<>(IntStream.range(0, MESSAGES).mapToObj(message).toList());
  }

  @Test
  void theJobGoesOn() throws Exception {
    List<KafkaMessage> samples = many(this::hostileSample);
    for (int sample = 0; sample <= SAMPLES; sample++) {
      for (String server : List.of("s1", "s2")) {
        DeviceSample sound = sample(server, 105 + 5L * sample, server.equals("s1") ? "a" : "b");
        samples.add(message(Topics.DEVICE_SAMPLE, sound, sound.getTime()));
      }
    }
    CollectingSink<Rows> results = new CollectingSink<>();
    StreamExecutionEnvironment env = Streams.environment();
    env.setParallelism(1);
    StorageAnalysisJob.defineWorkflow(
        env,
        new StorageAnalysisJob.Sources(
            env.fromData(samples).uid("samples"),
            env.fromData(many(this::hostileJob)).uid("jobs-live"),
            env.fromData(many(this::hostileTarget)).uid("targets-live"),
            NeverEnding.stream(env),
            () -> List.of(ServerLoadFunctionTest.site(1, Samples.SITE))),
        new StorageAnalysisJob.Sinks(
            new CollectingSink<>(),
            results,
            new CollectingSink<>(),
            new CollectingSink<>(),
            new CollectingSink<>()),
        HASTY);
    JobClient job = env.executeAsync();
    try {
      double[] written = {0};
      results.await(
          blocks -> {
            List<Rows> last = blocks.subList(Math.max(0, blocks.size() - 1), blocks.size());
            ReadRows.of(last, "device_load_versions").stream()
                .filter(row -> "a".equals(row.get("device_id")))
                .forEach(row -> written[0] += (Double) row.get("bytes_written"));
            return written[0] >= (SAMPLES - 1) * WRITTEN;
          },
          LONGEST);
      assertThat(job.getJobStatus().get()).isEqualTo(JobStatus.RUNNING);
    } finally {
      if (job.getJobStatus().get() == JobStatus.RUNNING) {
        job.cancel().get();
      } else {
        job.getJobExecutionResult().get();
      }
    }
  }
}
