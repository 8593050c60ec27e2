package org.weir.job;

import com.sun.management.OperatingSystemMXBean;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.streaming.api.datastream.BroadcastStream;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.junit.jupiter.api.Test;
import org.weir.flink.Streams;
import org.weir.flink.kafka.KafkaMessage;
import org.weir.flink.kafka.Topics;

/**
 * B3: job-analysis against a job that only decodes the same messages and encodes the rows of the
 * records, both from memory into nothing. Run by tests/bench/jobs.py, which tells what the figures
 * mean.
 *
 * <p>The system property bench holds a folder with messages (topic as a byte, length, bytes),
 * site.json and rules.json; turns and state backend. Prints a line a run: B3, way, parallelism,
 * seconds, seconds of processor time. No name of a test, so that no build runs it.
 */
class JobBench {

  private static final OperatingSystemMXBean CPU =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private static final List<String> TOPICS =
      List.of(Topics.DARSHAN_LOG, Topics.SCHEDULER_JOB, Topics.JOB_MANIFEST, Topics.STORAGE_LOAD);

  /** By topic; the sources run in this process. */
  private static final List<List<KafkaMessage>> MESSAGES = new ArrayList<>();

  private static List<KafkaMessage> control;

  @Test
  void bench() throws Exception {
    String[] args = System.getProperty("bench").split(",", -1);
    Path folder = Path.of(args[0]);
    read(folder.resolve("messages"));
    String site = Files.readString(folder.resolve("site.json"));
    String rules = Files.readString(folder.resolve("rules.json"));
    control =
        List.of(
            Messages.published(Topics.SITE, "bench", 1, site),
            Messages.published(Topics.RULES, Control.RULE_SET, 1, rules));
    int turns = Integer.parseInt(args[1]);
    // The first turn warms up and is not told.
    for (int turn = 0; turn <= turns; turn++) {
      for (int parallelism : new int[] {1, 2}) {
        for (String way : List.of("pass-through", "job-analysis")) {
          long cpu = CPU.getProcessCpuTime();
          double seconds = run(way, parallelism, args[2]);
          double cpuSeconds = (CPU.getProcessCpuTime() - cpu) / 1e9;
          if (turn > 0) {
            System.out.printf("B3 %s %d %.3f %.3f%n", way, parallelism, seconds, cpuSeconds);
          }
        }
      }
    }
  }

  private static void read(Path file) throws IOException {
    TOPICS.forEach(topic -> MESSAGES.add(new ArrayList<>()));
    long now = System.currentTimeMillis() * 1000;
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file));
        DataInputStream data = new DataInputStream(in)) {
      while (true) {
        int topic = data.readUnsignedByte();
        byte[] value = data.readNBytes(data.readInt());
        List<KafkaMessage> of = MESSAGES.get(topic);
        of.add(new KafkaMessage(TOPICS.get(topic), 0, of.size(), now, value));
      }
    } catch (EOFException end) {
      // all read
    }
  }

  private static double run(String way, int parallelism, String backend) throws Exception {
    Configuration configuration = new Configuration();
    configuration.set(PipelineOptions.GENERIC_TYPES, false);
    configuration.set(StateBackendOptions.STATE_BACKEND, backend);
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.createLocalEnvironment(parallelism, configuration);
    env.setMaxParallelism(Streams.MAX_PARALLELISM);
    JobAnalysisJob.Sources sources =
        new JobAnalysisJob.Sources(
            from(env, 0),
            from(env, 1),
            from(env, 2),
            from(env, 3),
            env.fromData(TypeInformation.of(KafkaMessage.class), JobAnalysisITCase.deadLetter()),
            env.fromData(control),
            () -> control);
    if (way.equals("pass-through")) {
      decode(sources);
    } else {
      JobAnalysisJob.defineWorkflow(
          env,
          sources,
          new JobAnalysisJob.Sinks(
              new DiscardingSink<>(),
              new DiscardingSink<>(),
              new DiscardingSink<>(),
              new DiscardingSink<>()),
          Harnesses.SETTINGS);
    }
    return env.execute(way).getNetRuntime() / 1e3;
  }

  private static void decode(JobAnalysisJob.Sources sources) {
    BroadcastStream<KafkaMessage> controls = sources.controls().broadcast(Control.DESCRIPTOR);
    SingleOutputStreamOperator<LogPart> parts =
        sources.logs().connect(controls).process(new DecodeLogs(sources.control()));
    parts.getSideOutput(DecodeLogs.ROWS).sinkTo(new DiscardingSink<>());
    parts.sinkTo(new DiscardingSink<>());
    sources.schedulerJobs().process(new DecodeSchedulerJobs()).sinkTo(new DiscardingSink<>());
    sources.manifests().process(new DecodeManifests()).sinkTo(new DiscardingSink<>());
    sources.load().process(new DecodeLoad()).sinkTo(new DiscardingSink<>());
  }

  private static DataStream<KafkaMessage> from(StreamExecutionEnvironment env, int topic) {
    return env.fromSource(
        new DataGeneratorSource<>(
            number -> MESSAGES.get(topic).get(number.intValue()),
            MESSAGES.get(topic).size(),
            TypeInformation.of(KafkaMessage.class)),
        WatermarkStrategy.noWatermarks(),
        TOPICS.get(topic));
  }
}
