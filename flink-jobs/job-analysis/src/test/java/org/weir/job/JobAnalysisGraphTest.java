package org.weir.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.types.PojoTestUtils;
import org.junit.jupiter.api.Test;
import org.weir.analysis.load.LoadBucket;
import org.weir.flink.Streams;
import org.weir.flink.clickhouse.ClickHouseAddress;
import org.weir.flink.config.Connections;
import org.weir.flink.testing.Graphs;
import org.weir.job.assemble.Assembly;
import org.weir.job.assemble.LogPart;
import org.weir.job.control.JobSettings;
import org.weir.job.evaluate.RunState;
import org.weir.job.join.JobInput;
import org.weir.job.join.JobProgress;
import org.weir.job.join.NewestMessage;
import org.weir.job.load.LoadAnswer;
import org.weir.job.load.LoadInput;
import org.weir.job.load.LoadRequest;
import org.weir.job.load.PendingRequest;
import org.weir.job.run.LoadFacts;
import org.weir.job.run.RunSummary;

class JobAnalysisGraphTest {

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
  void recordsLandInTheTaskThatDecodesThem() {
    assertThat(Graphs.tasks(job()))
        .anyMatch(task -> task.contains("decode-logs -> land-records: Writer"));
  }

  @Test
  void whatTravelsAndWhatIsKeptNeedsNoKryo() {
    for (Class<?> type :
        List.of(
            Assembly.class,
            JobInput.class,
            JobProgress.class,
            LoadAnswer.class,
            LoadRequest.class,
            LoadBucket.class,
            LoadFacts.class,
            LoadInput.class,
            LogPart.class,
            NewestMessage.class,
            PendingRequest.class,
            RunState.class,
            RunSummary.class)) {
      PojoTestUtils.assertSerializedAsPojoWithoutKryo(type);
    }
  }

  private static StreamExecutionEnvironment job() {
    StreamExecutionEnvironment env = Streams.environment();
    JobAnalysisJob.defineWorkflow(
        env,
        JobAnalysisJob.kafka(env, NOWHERE),
        JobAnalysisJob.sinks(NOWHERE),
        JobSettings.defaults());
    return env;
  }
}
