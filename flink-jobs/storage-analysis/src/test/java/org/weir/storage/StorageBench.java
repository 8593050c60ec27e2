package org.weir.storage;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.connector.datagen.source.GeneratorFunction;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.junit.jupiter.api.Test;
import org.weir.flink.Streams;
import org.weir.flink.kafka.DeadLetters;
import org.weir.flink.kafka.KafkaMessage;
import org.weir.flink.kafka.Topics;
import org.weir.flink.testing.BenchState;
import org.weir.load.sample.Columns;
import org.weir.load.sample.Sample;
import org.weir.storage.control.StorageSettings;
import org.weir.storage.decode.DecodeSamples;
import org.weir.storage.load.ServerLoadFunctionTest;
import org.weir.wire.DeviceSample;
import org.weir.wire.PackedColumns;
import org.weir.wire.WireCodec;

/**
 * B4: storage-analysis against a job that only decodes the same samples and encodes their rows,
 * both from memory into nothing. Run by tests/bench/storage.py, which tells what the figures mean.
 *
 * <p>The system property bench holds servers, devices a server, samples a server, seconds of a
 * sample, turns and state backend. Prints a line a run: B4, way, parallelism, device samples,
 * seconds, seconds of processor time. No name of a test, so that no build runs it.
 */
class StorageBench {

  private static final OperatingSystemMXBean CPU =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  @Test
  void bench() throws Exception {
    String[] args = System.getProperty("bench").split(",", -1);
    int servers = Integer.parseInt(args[0]);
    int devices = Integer.parseInt(args[1]);
    int samples = Integer.parseInt(args[2]);
    int sampleSeconds = Integer.parseInt(args[3]);
    int turns = Integer.parseInt(args[4]);
    String backend = args[5];
    // The first turn warms up and is not told.
    for (int turn = 0; turn <= turns; turn++) {
      for (int parallelism : new int[] {1, 2}) {
        for (String way : List.of("pass-through", "storage-analysis")) {
          long cpu = CPU.getProcessCpuTime();
          Samples from = new Samples(servers, devices, sampleSeconds, samples, parallelism);
          double seconds = run(way, parallelism, from, backend);
          double cpuSeconds = (CPU.getProcessCpuTime() - cpu) / 1e9;
          if (turn > 0) {
            long values = (long) servers * devices * samples;
            System.out.printf(
                "B4 %s %d %d %.3f %.3f%n", way, parallelism, values, seconds, cpuSeconds);
          }
        }
      }
    }
  }

  private static double run(String way, int parallelism, Samples samples, String backend)
      throws Exception {
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.createLocalEnvironment(
            parallelism, BenchState.configuration(backend));
    env.setMaxParallelism(Streams.MAX_PARALLELISM);
    DataStream<KafkaMessage> messages =
        env.fromSource(
            new DataGeneratorSource<>(
                samples, samples.count(), TypeInformation.of(KafkaMessage.class)),
            WatermarkStrategy.noWatermarks(),
            "samples");
    if (way.equals("pass-through")) {
      SingleOutputStreamOperator<Sample> decoded = messages.process(new DecodeSamples());
      decoded.getSideOutput(DecodeSamples.ROWS).sinkTo(new DiscardingSink<>());
      decoded.getSideOutput(DeadLetters.TAG).sinkTo(new DiscardingSink<>());
      decoded.sinkTo(new DiscardingSink<>());
    } else {
      String site = samples.site();
      DataStream<KafkaMessage> sites = env.fromData(ServerLoadFunctionTest.site(1, site));
      StorageAnalysisJob.defineWorkflow(
          env,
          new StorageAnalysisJob.Sources(
              messages,
              sites.filter(none -> false),
              sites.filter(none -> false),
              sites,
              () -> List.of(ServerLoadFunctionTest.site(1, site))),
          new StorageAnalysisJob.Sinks(
              new DiscardingSink<>(),
              new DiscardingSink<>(),
              new DiscardingSink<>(),
              new DiscardingSink<>(),
              new DiscardingSink<>()),
          StorageSettings.defaults());
    }
    return env.execute(way).getNetRuntime() / 1e3;
  }

  /** Sample after sample of all servers in turn, with random values made once. */
  private static final class Samples implements GeneratorFunction<Long, KafkaMessage> {

    private static final long serialVersionUID = 1L;

    final int servers;
    final int devices;
    final int sampleSeconds;
    final int samples;
    final int parallelism;
    private final long start =
        System.currentTimeMillis() / 1000 - Duration.ofMinutes(30).toSeconds();
    private transient WireCodec<DeviceSample> codec;
    private transient DeviceSample sample;
    private transient List<List<String>> idsByServer;

    Samples(int servers, int devices, int sampleSeconds, int samples, int parallelism) {
      this.servers = servers;
      this.devices = devices;
      this.sampleSeconds = sampleSeconds;
      this.samples = samples;
      this.parallelism = parallelism;
    }

    long count() {
      return (long) servers * samples;
    }

    private List<String> ids(int server) {
      List<String> ids = new ArrayList<>();
      for (int device = 0; device < devices; device++) {
        ids.add(String.format("wwn-0x5000c500%04x%04x", server, device));
      }
      return ids;
    }

    String site() {
      StringBuilder listed = new StringBuilder();
      StringBuilder mapped = new StringBuilder();
      for (int server = 0; server < servers; server++) {
        String comma = server == 0 ? "" : ",";
        listed.append(
            "%s{\"name\":\"oss%d\",\"sample_interval_seconds\":%d}"
                .formatted(comma, server, sampleSeconds));
        mapped.append(
            "%s\"oss%d\":[\"%s\"]".formatted(comma, server, String.join("\",\"", ids(server))));
      }
      return "{\"cluster\":\"c\",\"servers\":["
          + listed
          + "],\"file_systems\":[{\"id\":\"fs\",\"kind\":\"lustre\",\"mount_prefixes\":[\"/fs\"],"
          + "\"devices\":{"
          + mapped
          + "}}]}";
    }

    @Override
    public KafkaMessage map(Long number) {
      if (codec == null) {
        codec = WireCodec.of(DeviceSample.class);
        idsByServer = IntStream.range(0, servers).mapToObj(this::ids).toList();
        double[] values = new Random(1).doubles((long) devices * Columns.COUNT, 0, 1e6).toArray();
        Arrays.fill(
            values, Columns.BUSY_SECONDS * devices, (Columns.BUSY_SECONDS + 1) * devices, 0.4);
        sample =
            DeviceSample.newBuilder()
                .setCluster("c")
                .setServer("")
                .setTime(0)
                .setIntervalSeconds(sampleSeconds)
                .setDeviceIds(List.of())
                .setDeviceNames(ids(0))
                .setColumns(Columns.NAMES)
                .setValues(PackedColumns.pack(values))
                .setOrigin("live")
                .build();
      }
      // Each subtask of the source takes one range of numbers: it has servers of its own, as with
      // Kafka.
      long range = count() / parallelism;
      int serversOfRange = servers / parallelism;
      long within = number % range;
      int server = (int) (number / range) * serversOfRange + (int) (within % serversOfRange);
      long time = (start + within / serversOfRange * sampleSeconds) * 1_000_000;
      sample.setServer("oss" + server);
      sample.setTime(time);
      sample.setDeviceIds(idsByServer.get(server));
      return new KafkaMessage(Topics.DEVICE_SAMPLE, 0, number, time, codec.encode(sample));
    }
  }
}
