package org.weir.alerting;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.types.PojoTestUtils;
import org.junit.jupiter.api.Test;
import org.weir.alerts.CaseFacts;
import org.weir.alerts.JobFacts;
import org.weir.alerts.ProgramFacts;
import org.weir.alerts.UnitFacts;
import org.weir.alerts.UserFacts;
import org.weir.flink.Streams;
import org.weir.flink.clickhouse.ClickHouseAddress;
import org.weir.flink.config.Connections;
import org.weir.flink.testing.Graphs;

class AlertingGraphTest {

  private static final Connections NOWHERE =
      new Connections(
          "127.0.0.1:1",
          false,
          new TreeMap<>(),
          new TreeSet<>(),
          new ClickHouseAddress("http://127.0.0.1:1", "writer", "", "weir"));

  @Test
  void everyOperatorHasAUidAndANameAndTheMaxParallelismIsFixed() {
    StreamExecutionEnvironment env = Streams.environment();
    AlertingSettings settings = AlertingSettings.defaults();
    AlertingJob.defineWorkflow(
        env, AlertingJob.kafka(env, NOWHERE, settings), AlertingJob.sinks(NOWHERE), settings);
    assertThat(Graphs.operatorsWithoutUid(env)).isEmpty();
    assertThat(Graphs.operatorsWithoutNameOfTheirOwn(env)).isEmpty();
    assertThat(env.getMaxParallelism()).isEqualTo(Streams.MAX_PARALLELISM);
  }

  @Test
  void whatTravelsAndWhatIsKeptNeedsNoKryo() {
    for (Class<?> type :
        List.of(
            CaseFacts.class,
            DeskInput.class,
            JobFacts.class,
            ProgramFacts.class,
            UnitFacts.class,
            UserFacts.class)) {
      PojoTestUtils.assertSerializedAsPojoWithoutKryo(type);
    }
  }
}
