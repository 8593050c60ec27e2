package org.weir.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.types.PojoTestUtils;
import org.junit.jupiter.api.Test;
import org.weir.flink.Streams;
import org.weir.flink.clickhouse.ClickHouseAddress;
import org.weir.flink.config.Connections;
import org.weir.flink.testing.Graphs;
import org.weir.load.bucket.FilesystemLoad;
import org.weir.load.bucket.ServerBucket;
import org.weir.load.gather.FilesystemBucket;
import org.weir.load.gather.FilesystemProgress;
import org.weir.load.gather.ServerProgress;
import org.weir.load.sample.Sample;
import org.weir.storage.control.StorageSettings;
import org.weir.storage.events.Event;
import org.weir.storage.hours.HourPart;
import org.weir.storage.hours.HourlyProgress;
import org.weir.storage.silence.DevicePresence;
import org.weir.storage.silence.DeviceWatch;
import org.weir.storage.silence.ServerWatch;
import org.weir.storage.silence.Sighting;
import org.weir.storage.silence.Silence;
import org.weir.storage.trouble.FilesystemVitals;
import org.weir.storage.trouble.FilesystemWatch;
import org.weir.storage.trouble.Trouble;

class StorageAnalysisGraphTest {

  private static final Connections NOWHERE =
      new Connections(
          "127.0.0.1:1",
          false,
          new TreeMap<>(),
          new TreeSet<>(),
          new ClickHouseAddress("http://127.0.0.1:1", "writer", "", "weir"));

  @Test
  void everyOperatorHasAUidAndANameAndTheMaxParallelismIsFixed() {
    StreamExecutionEnvironment env = job();
    assertThat(Graphs.operatorsWithoutUid(env)).isEmpty();
    assertThat(Graphs.operatorsWithoutNameOfTheirOwn(env)).isEmpty();
    assertThat(env.getMaxParallelism()).isEqualTo(Streams.MAX_PARALLELISM);
  }

  @Test
  void samplesLandInTheTaskThatDecodesThem() {
    assertThat(Graphs.tasks(job()))
        .anyMatch(task -> task.contains("decode-samples -> land-samples: Writer"));
  }

  @Test
  void whatTravelsAndWhatIsKeptNeedsNoKryo() {
    for (Class<?> type :
        List.of(
            DevicePresence.class,
            DeviceWatch.class,
            Event.class,
            FilesystemBucket.class,
            FilesystemLoad.class,
            FilesystemProgress.class,
            FilesystemVitals.class,
            FilesystemWatch.class,
            HourPart.class,
            HourlyProgress.class,
            ServerBucket.class,
            ServerProgress.class,
            ServerWatch.class,
            Sighting.class,
            Silence.class,
            Sample.class,
            Trouble.class)) {
      PojoTestUtils.assertSerializedAsPojoWithoutKryo(type);
    }
  }

  private static StreamExecutionEnvironment job() {
    StreamExecutionEnvironment env = Streams.environment();
    StorageAnalysisJob.defineWorkflow(
        env,
        StorageAnalysisJob.kafka(env, NOWHERE),
        StorageAnalysisJob.sinks(NOWHERE),
        StorageSettings.defaults());
    return env;
  }
}
