package org.weir.job.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.weir.analysis.load.LoadState;
import org.weir.analysis.load.LoadSummary;
import org.weir.analysis.load.LoadWindow;
import org.weir.analysis.traffic.OwnDevice;
import org.weir.job.Harnesses;
import org.weir.job.Messages;
import org.weir.job.run.LoadFacts;

class LoadMergeTest {

  private static final List<LoadPlace> PLACES =
      LoadPlace.of(
          new LoadWindow(
              "fs",
              1_000_000,
              1,
              List.of(),
              List.of(new OwnDevice("s1", "d1", 0.5, true), new OwnDevice("s2", "d2", 0.5, true))));

  private KeyedOneInputStreamOperatorTestHarness<String, LoadPart, LoadAnswer> harness;

  @BeforeEach
  void open() throws Exception {
    harness = Harnesses.loadMerge();
  }

  @AfterEach
  void close() throws Exception {
    harness.close();
  }

  /** The answer to one of the three questions of a run: so busy, others moved so much. */
  private static LoadPart part(int batches, int number, long samples, double util, double others) {
    LoadPart part = new LoadPart();
    part.cluster = Messages.CLUSTER;
    part.jobId = Messages.JOB_ID;
    part.logId = "log";
    part.batches = batches;
    part.number = number;
    part.requests = PLACES.size();
    part.place = PLACES.get(number);
    part.samples = samples;
    LoadState state = samples == 0 ? LoadState.NO_SAMPLES : LoadState.CLOSED;
    LoadSummary load = new LoadSummary(state, 1, 1, util, util, 100 + others, 100, others);
    part.loads = new LoadFacts[] {LoadFacts.of(load, true)};
    return part;
  }

  private void send(LoadPart... parts) throws Exception {
    for (LoadPart part : parts) {
      harness.processElement(part, 0);
    }
  }

  private List<LoadAnswer> answers() {
    return harness.extractOutputValues();
  }

  @Test
  void theAnswerLeavesWithItsLastPartAndWithEachThatGetsBetter() throws Exception {
    send(part(1, 0, 4, 0.2, 0), part(1, 2, 1, 0.9, 50));
    assertThat(answers()).isEmpty();
    send(part(1, 1, 0, 0, 0));
    assertThat(answers()).hasSize(1);
    LoadFacts facts = answers().get(0).facts;
    assertThat(facts.devices).as("d1 is not known").isEmpty();
    assertThat(facts.utilMean).isEqualTo(0.2);
    assertThat(facts.busiest).isEqualTo("d2");
    assertThat(facts.samples).isEqualTo(5);
    send(part(1, 1, 2, 0.1, 0));
    facts = answers().get(1).facts;
    assertThat(facts.devices).containsExactly("d1", "d2");
    assertThat(facts.utilMean).isEqualTo(0.5);
    assertThat(facts.samples).isEqualTo(7);
  }

  @Test
  void anyOrderEndsInTheSameAnswer() throws Exception {
    List<LoadPart> parts = new ArrayList<>();
    for (int number = 0; number < 3; number++) {
      for (int samples = 0; samples < 3; samples++) {
        parts.add(part(1, number, samples, 0.1 * samples, 10 * number));
        parts.add(part(2, number, samples, 0.2 * samples, 10 * number));
      }
    }
    for (int seed = 0; seed < 50; seed++) {
      Collections.shuffle(parts, new Random(seed));
      try (var merge = Harnesses.loadMerge()) {
        for (LoadPart part : parts) {
          merge.processElement(part, 0);
        }
        List<LoadAnswer> answers = merge.extractOutputValues();
        LoadAnswer last = answers.get(answers.size() - 1);
        assertThat(last.batches).isEqualTo(2);
        assertThat(last.facts.samples).isEqualTo(6);
        assertThat(last.facts.utilMean).isEqualTo(0.4);
      }
    }
  }

  @Test
  void stateGoesWithItsLastChance() throws Exception {
    harness.setStateTtlProcessingTime(0);
    send(part(1, 0, 4, 0.2, 0), part(1, 1, 1, 0.9, 50));
    harness.setStateTtlProcessingTime(Duration.ofHours(3).toMillis());
    send(part(1, 2, 1, 0.9, 50));
    assertThat(answers()).isEmpty();
    assertThat(harness.numProcessingTimeTimers()).isZero();
  }
}
