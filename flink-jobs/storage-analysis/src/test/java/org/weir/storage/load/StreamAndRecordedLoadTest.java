package org.weir.storage.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.streaming.api.functions.co.KeyedBroadcastProcessFunction;
import org.apache.flink.streaming.api.operators.co.CoBroadcastWithKeyedOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedBroadcastOperatorTestHarness;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.weir.flink.kafka.KafkaMessage;
import org.weir.load.bucket.FilesystemLoad;
import org.weir.load.bucket.LoadMessage;
import org.weir.load.bucket.ServerBucket;
import org.weir.load.recorded.RecordedLoad;
import org.weir.load.sample.Sample;
import org.weir.load.testing.Samples;
import org.weir.site.Site;
import org.weir.storage.control.Sites;
import org.weir.storage.control.StorageSettings;
import org.weir.wire.StorageLoad;

/**
 * Compares the load that the operators emit last with that of the same samples when all are at
 * hand: they arrive out of order and twice, counters start over, and a device moves to the other
 * server.
 */
class StreamAndRecordedLoadTest {
  private static final StorageSettings SETTINGS = StorageSettings.defaults();
  private static final List<KafkaMessage> CONTROL =
      List.of(ServerLoadFunctionTest.site(1, Samples.SITE));

  private static List<Sample> samples(Random random) {
    List<Sample> samples = new ArrayList<>();
    double written = 1_000;
    for (long second = 105; second < 300; second += 5) {
      written += random.nextInt(1_000);
      String boot = second < 180 ? "first" : "second";
      if (second < 240) {
        samples.add(Samples.cumulative(second, boot, written, second / 4.0));
      }
      // From 240 s on the other server has the device.
      String device = second < 240 ? "b" : "a";
      samples.add(Samples.of("s2", device, second, random.nextInt(1_000)));
    }
    return samples;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void isTheSame(long seed) throws Exception {
    Random random = new Random(seed);
    List<Sample> samples = samples(random);
    List<Sample> sent = new ArrayList<>(samples);
    sent.addAll(samples.subList(10, 30));
    Collections.shuffle(sent, random);

    Map<String, StorageLoad> streamed = new TreeMap<>();
    List<ServerBucket> shares = new ArrayList<>();
    try (var harness =
        harness(new ServerLoadFunction(() -> CONTROL, SETTINGS), Sample::serverKey)) {
      for (Sample sample : sent) {
        harness.processElement(sample, 0);
      }
      harness.setProcessingTime(SETTINGS.silenceWait().multipliedBy(3).toMillis());
      for (ServerBucket bucket : harness.extractOutputValues()) {
        put(streamed, LoadMessage.of(bucket, bucket.packed()));
      }
      for (StreamRecord<ServerBucket> share : harness.getSideOutput(ServerLoadFunction.SHARES)) {
        shares.add(share.getValue());
      }
    }
    try (var harness =
        harness(new FilesystemLoadFunction(() -> CONTROL, SETTINGS), ServerBucket::filesystemKey)) {
      for (ServerBucket share : shares) {
        harness.processElement(share, 0);
      }
      harness.setProcessingTime(SETTINGS.serverWait().plus(Duration.ofMinutes(1)).toMillis());
      for (FilesystemLoad load : harness.extractOutputValues()) {
        put(streamed, LoadMessage.of(load));
      }
    }

    Map<String, StorageLoad> recorded = new TreeMap<>();
    RecordedLoad.of(samples, Site.parse(Samples.SITE)).forEach(load -> put(recorded, load));
    assertThat(recorded).hasSizeGreaterThan(40);
    assertThat(streamed).isEqualTo(recorded);
  }

  /** The newest of a bucket; how far the load was closed when it was sent is left out. */
  private static void put(Map<String, StorageLoad> loads, StorageLoad load) {
    load.setClosedUntil(0);
    loads.put(load.getKind() + " " + load.getSubject() + " " + load.getBucketStart(), load);
  }

  private static <I, O> KeyedBroadcastOperatorTestHarness<String, I, KafkaMessage, O> harness(
      KeyedBroadcastProcessFunction<String, I, KafkaMessage, O> function,
      KeySelector<I, String> key)
      throws Exception {
    KeyedBroadcastOperatorTestHarness<String, I, KafkaMessage, O> harness =
        new KeyedBroadcastOperatorTestHarness<>(
            new CoBroadcastWithKeyedOperator<>(function, List.of(Sites.DESCRIPTOR)),
            key,
            Types.STRING,
            128,
            1,
            0);
    harness.open();
    harness.setProcessingTime(1_000);
    return harness;
  }
}
