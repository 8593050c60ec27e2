package org.weir.job.baseline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.weir.analysis.compare.Baseline;
import org.weir.analysis.compare.EarlierRun;
import org.weir.flink.testing.KeyedState;
import org.weir.job.Harnesses;
import org.weir.job.run.RunSummary;

class BaselineJoinTest {

  private KeyedOneInputStreamOperatorTestHarness<String, RunSummary, RunSummary> harness;

  @BeforeEach
  void open() throws Exception {
    harness = Harnesses.baselineJoin();
  }

  @AfterEach
  void close() throws Exception {
    harness.close();
  }

  private static RunSummary run(int end) {
    RunSummary run = new RunSummary();
    run.cluster = "c";
    run.logId = "log" + end;
    run.jobId = end;
    run.application = "app";
    run.comparable = new EarlierRun(run.logId, end, 8, 1e9, 10.0 * end);
    return run;
  }

  private void send(RunSummary run) throws Exception {
    harness.processElement(run, 0);
  }

  /** The last word on each run: what went on with it, or a later answer. */
  private Map<String, Baseline> told() {
    Map<String, Baseline> told = new HashMap<>();
    harness.extractOutputValues().forEach(run -> told.put(run.logId, run.baseline));
    for (BaselineAnswer answer : answers()) {
      assertThat(answer.cluster).isEqualTo("c");
      assertThat(answer.logId).isEqualTo("log" + answer.jobId);
      assertThat(answer.baseline.runs()).isGreaterThan(told.get(answer.logId).runs());
      told.put(answer.logId, answer.baseline);
    }
    return told;
  }

  private List<BaselineAnswer> answers() {
    var answers = harness.getSideOutput(BaselineJoin.ANSWERS);
    return answers == null ? List.of() : answers.stream().map(answer -> answer.getValue()).toList();
  }

  @Test
  void inOrderEachRunGoesOnWithWhatWasBefore() throws Exception {
    for (int end = 1; end <= 3; end++) {
      send(run(end));
    }
    assertThat(told())
        .containsEntry("log1", Baseline.NONE)
        .containsEntry("log2", new Baseline(1, 1L, 10.0, 10.0))
        .containsEntry("log3", new Baseline(2, 2L, 11.0, 15.0));
    assertThat(answers()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void theOrderOfArrivalMakesNoDifference(long seed) throws Exception {
    List<Integer> ends = new ArrayList<>(IntStream.rangeClosed(1, 30).boxed().toList());
    Collections.shuffle(ends, new Random(seed));
    for (int end : ends) {
      send(run(end));
      if (end % 3 == 0) {
        send(run(end));
      }
    }
    Map<String, Baseline> told = told();
    for (int end = 2; end <= 30; end++) {
      // 10, 20, ... 10 (end - 1): the median is their middle, p10 a tenth of the way.
      double last = 10.0 * (end - 1);
      Baseline baseline = told.get("log" + end);
      assertThat(baseline.runs()).isEqualTo(end - 1);
      assertThat(baseline.median()).isEqualTo((10 + last) / 2);
      assertThat(baseline.p10()).isEqualTo(10 + 0.1 * (last - 10));
    }
  }

  @Test
  void theLast32AreKept() throws Exception {
    for (int end = 1; end <= 100; end++) {
      send(run(end));
    }
    assertThat(told().get("log100")).isEqualTo(new Baseline(32, 99L, 711.0, 835.0));
    assertThat(KeyedState.entries(harness)).isEqualTo(1);
  }

  @Test
  void whatCannotBeComparedPassesAndLeavesNoState() throws Exception {
    RunSummary tiny = run(1);
    tiny.application = null;
    tiny.comparable = null;
    send(tiny);
    assertThat(harness.extractOutputValues()).hasSize(1);
    assertThat(told()).containsEntry("log1", Baseline.NONE);
    assertThat(KeyedState.entries(harness)).isZero();
  }

  @Test
  void aRunIsForgottenAfterTheRetention() throws Exception {
    send(run(1));
    harness.setStateTtlProcessingTime(Harnesses.SETTINGS.baselineRetention().toMillis() + 1);
    send(run(2));
    assertThat(told()).containsEntry("log2", Baseline.NONE);
  }
}
