package org.weir.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.weir.wire.StorageLoad;
import org.weir.wire.WireCodec;

class LoadJoinTest {

  private KeyedOneInputStreamOperatorTestHarness<String, LoadInput, LoadAnswer> harness;

  @BeforeEach
  void open() throws Exception {
    harness = Harnesses.loadJoin();
  }

  @AfterEach
  void close() throws Exception {
    harness.close();
  }

  /** Asks for the seconds 12 and 13. */
  private void ask() throws Exception {
    LoadAsk ask = new LoadAsk();
    ask.cluster = Messages.CLUSTER;
    ask.filesystem = "fs";
    ask.logId = "log";
    ask.jobId = Messages.JOB_ID;
    ask.batches = 1;
    ask.bucketMicros = 1_000_000;
    ask.writeAmplification = 1;
    ask.starts = new long[] {Messages.micros(12), Messages.micros(13)};
    ask.bytesRead = new double[2];
    ask.bytesWritten = new double[] {1, 1};
    ask.sampleIntervalSeconds = 1;
    harness.processElement(LoadInput.of(ask), 0);
  }

  private void load(long second, long closedUntil) throws Exception {
    load(second, closedUntil, 2);
  }

  /** One tick each of so many servers of two. */
  private void load(long second, long closedUntil, int servers) throws Exception {
    StorageLoad load =
        WireCodec.of(StorageLoad.class).decode(Messages.load(second, closedUntil).value);
    load.setVersion(servers);
    load.setServersReported(servers);
    load.setServersExpected(2);
    LoadInput input = new LoadInput();
    input.cluster = load.getCluster();
    input.filesystem = load.getSubject();
    input.bucket = LoadBucket.of(load);
    harness.processElement(input, 0);
  }

  private List<LoadFacts> answers() {
    return harness.extractOutputValues().stream().map(answer -> answer.facts).toList();
  }

  @Test
  void aQuestionAboutClosedLoadIsAnsweredAtOnce() throws Exception {
    load(12, 13);
    load(13, 14);
    ask();
    assertThat(answers()).singleElement().extracting(f -> f.state).isEqualTo("CLOSED");
    assertThat(answers().get(0).utilMax).isEqualTo(0.95);
    assertThat(harness.numProcessingTimeTimers()).isZero();
  }

  @Test
  void aQuestionWaitsUntilTheLoadIsClosed() throws Exception {
    ask();
    load(12, 13);
    load(13, 13);
    assertThat(answers()).isEmpty();
    load(14, 14);
    assertThat(answers()).singleElement().extracting(f -> f.state).isEqualTo("CLOSED");
  }

  @Test
  void aGapInTheLoadIsToldAsIncomplete() throws Exception {
    ask();
    load(12, 13);
    load(14, 15);
    assertThat(answers()).singleElement().extracting(f -> f.state).isEqualTo("INCOMPLETE");
    assertThat(answers().get(0).bucketsClosed).isEqualTo(1);
  }

  @Test
  void withoutAnyLoadTheWaitEnds() throws Exception {
    ask();
    harness.setProcessingTime(31_000);
    assertThat(answers()).isEmpty();
    harness.setProcessingTime(33_000);
    assertThat(answers()).singleElement().extracting(f -> f.state).isEqualTo("NO_SAMPLES");
  }

  @Test
  void lateLoadAnswersAgainWithAHigherShare() throws Exception {
    ask();
    harness.setProcessingTime(33_000);
    load(12, 13);
    load(12, 13);
    load(13, 14);
    load(14, 15);
    assertThat(answers())
        .extracting(f -> f.state)
        .containsExactly("NO_SAMPLES", "INCOMPLETE", "CLOSED");
  }

  @Test
  void aServerThatComesLateMendsTheAnswer() throws Exception {
    load(12, 14, 1);
    load(13, 14, 2);
    ask();
    load(12, 14, 2);
    load(12, 14, 1);
    assertThat(answers()).extracting(f -> f.state).containsExactly("INCOMPLETE", "CLOSED");
  }

  @Test
  void aTickThatComesAfterTheLoadWasClosedMendsTheAnswer() throws Exception {
    load(12, 14);
    load(13, 14);
    ask();
    load(12, 14, 3);
    load(12, 14, 3);
    load(15, 16, 3);
    assertThat(answers()).extracting(f -> f.ticks).containsExactly(4L, 5L);
  }

  @Test
  void pendingQuestionsAndTimersReturnToZero() throws Exception {
    ask();
    harness.setProcessingTime(Duration.ofHours(2).toMillis());
    assertThat(harness.numKeyedStateEntries()).isZero();
    assertThat(harness.numProcessingTimeTimers()).isZero();
  }
}
