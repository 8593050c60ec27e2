package org.weir.job;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.junit.jupiter.api.Test;
import org.weir.flink.Streams;
import org.weir.flink.clickhouse.ClickHouseSink;
import org.weir.flink.clickhouse.Rows;
import org.weir.flink.clickhouse.SinkLimits;
import org.weir.flink.kafka.DecodeFunction;
import org.weir.flink.kafka.Emissions;
import org.weir.flink.kafka.KafkaMessage;
import org.weir.flink.kafka.Topics;
import org.weir.flink.testing.BenchState;
import org.weir.flink.testing.NeverEnding;
import org.weir.flink.testing.Sinkhole;
import org.weir.job.control.Control;
import org.weir.job.control.JobSettings;
import org.weir.job.decode.DecodeDeadLetters;
import org.weir.job.decode.DecodeLoad;
import org.weir.job.decode.DecodeManifests;
import org.weir.job.decode.DecodeSchedulerJobs;
import org.weir.job.decode.RecordTables;
import org.weir.job.join.JobInput;
import org.weir.load.recorded.RecordedLoad;
import org.weir.load.sample.Sample;
import org.weir.load.sample.SampleReader;
import org.weir.site.Site;
import org.weir.wire.DarshanLogMessage;
import org.weir.wire.DeviceSample;
import org.weir.wire.LogBatch;
import org.weir.wire.StorageLoad;
import org.weir.wire.WireCodec;
import org.weir.wire.WireException;

/**
 * B3: job-analysis against a job that passes the same messages through: it decodes them and encodes
 * the rows of the records, of scheduler and manifests. Both take them from memory and land rows
 * through the sink, in a server that keeps nothing. Run by tests/bench/jobs.py, which tells what
 * the figures mean.
 *
 * <p>The system property bench holds a folder with messages (topic as a byte, length, bytes;
 * samples of devices in place of load), site.json and rules.json; turns and state backend. Prints a
 * line a run: B3, way, parallelism, seconds, seconds of processor time. No name of a test, so that
 * no build runs it.
 */
class JobBench {

  /** Longer than anything waits before it is written while more is known. */
  private static final Duration QUIET = Duration.ofSeconds(3);

  private static final List<String> TOPICS =
      List.of(Topics.DARSHAN_LOG, Topics.SCHEDULER_JOB, Topics.JOB_MANIFEST, Topics.STORAGE_LOAD);

  /** By topic; the sources run in this process. */
  private static final List<List<KafkaMessage>> MESSAGES = new ArrayList<>();

  private static final AtomicReference<Sinkhole.Moment> FIRST = new AtomicReference<>();

  private static List<KafkaMessage> control;

  @Test
  void bench() throws Exception {
    String[] args = System.getProperty("bench").split(",", -1);
    Path folder = Path.of(args[0]);
    String site = Files.readString(folder.resolve("site.json"));
    read(folder.resolve("messages"), Site.parse(site));
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
          Sinkhole.Moment last = run(way, parallelism, args[2]);
          if (turn > 0) {
            Sinkhole.Moment first = FIRST.get();
            System.out.printf(
                "B3 %s %d %.3f %.3f%n",
                way,
                parallelism,
                (last.nanos() - first.nanos()) / 1e9,
                (last.cpuNanos() - first.cpuNanos()) / 1e9);
          }
        }
      }
    }
  }

  private static void read(Path file, Site site) throws Exception {
    TOPICS.forEach(topic -> MESSAGES.add(new ArrayList<>()));
    List<Sample> samples = new ArrayList<>();
    WireCodec<DeviceSample> codec = WireCodec.of(DeviceSample.class);
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file));
        DataInputStream data = new DataInputStream(in)) {
      while (true) {
        int topic = data.readUnsignedByte();
        byte[] value = data.readNBytes(data.readInt());
        if (topic == TOPICS.indexOf(Topics.STORAGE_LOAD)) {
          samples.add(SampleReader.read(codec.decode(value), 0));
        } else {
          add(topic, value);
        }
      }
    } catch (EOFException end) {
      // all read
    }
    addLoad(RecordedLoad.of(samples, site), site);
  }

  /** In the order of time, each of which closes its bucket, as storage-analysis sends it. */
  private static void addLoad(List<StorageLoad> loads, Site site) {
    WireCodec<StorageLoad> codec = WireCodec.of(StorageLoad.class);
    loads.sort(Comparator.comparingLong(StorageLoad::getBucketStart));
    for (StorageLoad load : loads) {
      load.setClosedUntil(load.getBucketStart() + site.loadBucketMicros());
      add(TOPICS.indexOf(Topics.STORAGE_LOAD), codec.encode(load));
    }
  }

  private static void add(int topic, byte[] value) {
    List<KafkaMessage> of = MESSAGES.get(topic);
    long now = System.currentTimeMillis() * 1000;
    of.add(new KafkaMessage(TOPICS.get(topic), 0, of.size(), now, value));
  }

  /** Returns when the last rows had landed. */
  private static Sinkhole.Moment run(String way, int parallelism, String backend) throws Exception {
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.createLocalEnvironment(
            parallelism, BenchState.configuration(backend));
    env.setMaxParallelism(Streams.MAX_PARALLELISM);
    FIRST.set(null);
    try (Sinkhole clickhouse = new Sinkhole()) {
      JobAnalysisJob.Sources sources =
          new JobAnalysisJob.Sources(
              from(env, 0),
              from(env, 1),
              from(env, 2),
              from(env, 3),
              env.fromData(TypeInformation.of(KafkaMessage.class), JobAnalysisITCase.deadLetter()),
              NeverEnding.stream(env),
              () -> control);
      JobAnalysisJob.Sinks sinks =
          new JobAnalysisJob.Sinks(
              new ClickHouseSink(clickhouse.address(), SinkLimits.forBulk()),
              new ClickHouseSink(clickhouse.address(), SinkLimits.forResults()),
              new DiscardingSink<>(),
              new DiscardingSink<>());
      if (way.equals("pass-through")) {
        passThrough(sources, sinks);
      } else {
        JobAnalysisJob.defineWorkflow(env, sources, sinks, Harnesses.SETTINGS);
      }
      JobClient job = env.executeAsync(way);
      Sinkhole.Moment last = clickhouse.awaitQuiet(QUIET);
      job.cancel().get();
      return last;
    }
  }

  private static void passThrough(JobAnalysisJob.Sources sources, JobAnalysisJob.Sinks sinks) {
    sources.logs().process(new EncodeRecords()).sinkTo(sinks.bulk());
    SingleOutputStreamOperator<JobInput> jobs =
        sources.schedulerJobs().process(new DecodeSchedulerJobs());
    SingleOutputStreamOperator<JobInput> manifests =
        sources.manifests().process(new DecodeManifests());
    jobs.getSideOutput(DecodeSchedulerJobs.ROWS)
        .union(
            manifests.getSideOutput(DecodeManifests.ROWS),
            sources.deadLetters().process(new DecodeDeadLetters()))
        .sinkTo(sinks.results());
    jobs.sinkTo(new DiscardingSink<>());
    manifests.sinkTo(new DiscardingSink<>());
    sources.load().process(new DecodeLoad()).sinkTo(new DiscardingSink<>());
    sources.controls().sinkTo(new DiscardingSink<>());
  }

  private static final class EncodeRecords extends DecodeFunction<DarshanLogMessage, Rows> {

    private static final long serialVersionUID = 1L;

    EncodeRecords() {
      super(DarshanLogMessage.class, JobSettings.JOB);
    }

    @Override
    protected String clusterOf(DarshanLogMessage message) {
      return "";
    }

    @Override
    protected void accept(DarshanLogMessage message, KafkaMessage from, Emissions<Rows> out)
        throws WireException {
      if (message.getBody() instanceof LogBatch batch && batch.getRows() > 0) {
        out.collect(RecordTables.of(message, batch, from.sentAt));
      }
    }
  }

  private static DataStream<KafkaMessage> from(StreamExecutionEnvironment env, int topic) {
    return env.fromSource(
        new DataGeneratorSource<>(
            number -> {
              if (FIRST.get() == null) {
                FIRST.compareAndSet(null, Sinkhole.Moment.now());
              }
              return MESSAGES.get(topic).get(number.intValue());
            },
            MESSAGES.get(topic).size(),
            TypeInformation.of(KafkaMessage.class)),
        WatermarkStrategy.noWatermarks(),
        TOPICS.get(topic));
  }
}
