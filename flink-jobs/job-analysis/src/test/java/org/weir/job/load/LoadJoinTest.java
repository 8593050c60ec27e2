package org.weir.job.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.weir.analysis.load.LoadBucket;
import org.weir.analysis.load.LoadWindow;
import org.weir.analysis.traffic.OwnDevice;
import org.weir.flink.kafka.KafkaMessage;
import org.weir.flink.testing.KeyedState;
import org.weir.job.Harnesses;
import org.weir.job.Messages;
import org.weir.job.run.LoadFacts;
import org.weir.wire.StorageLoad;
import org.weir.wire.WireCodec;

class LoadJoinTest {

  private static final OwnDevice C = new OwnDevice("s", "c", 0.25, true);
  private static final OwnDevice D = new OwnDevice("s", "d", 0.75, true);

  private KeyedOneInputStreamOperatorTestHarness<String, LoadInput, LoadPart> harness;

  @BeforeEach
  void open() throws Exception {
    harness = Harnesses.loadJoin();
  }

  @AfterEach
  void close() throws Exception {
    harness.close();
  }

  /** The places of a run with these devices: the file system, and their server if there are any. */
  private static List<LoadPlace> places(OwnDevice... devices) {
    return LoadPlace.of(new LoadWindow("fs", 1_000_000, 1, List.of(), List.of(devices)));
  }

  /** Of 100 bytes written in each second. */
  private static LoadInput request(String logId, LoadPlace place, long... seconds) {
    LoadRequest request = new LoadRequest();
    request.cluster = Messages.CLUSTER;
    request.place = place;
    request.logId = logId;
    request.jobId = Messages.JOB_ID;
    request.batches = 1;
    request.requests = 1;
    request.bucketMicros = 1_000_000;
    request.writeAmplification = 1;
    request.starts = LongStream.of(seconds).map(Messages::micros).toArray();
    request.bytesRead = new double[seconds.length];
    request.bytesWritten = new double[seconds.length];
    Arrays.fill(request.bytesWritten, 100);
    request.sampleIntervalSeconds = 1;
    return LoadInput.of(request);
  }

  private void request() throws Exception {
    send(request("log", places().get(0), 12, 13));
  }

  private void send(LoadInput... inputs) throws Exception {
    for (LoadInput input : inputs) {
      harness.processElement(input, 0);
    }
  }

  private void load(long second, long closedUntil) throws Exception {
    load(second, closedUntil, 2);
  }

  /** One sample each of so many servers of two. */
  private void load(long second, long closedUntil, int servers) throws Exception {
    StorageLoad load = Messages.storageLoad(second, closedUntil);
    load.setVersion(servers);
    load.setServersReported(servers);
    load.setServersExpected(2);
    send(input(load));
    harness.setProcessingTime(harness.getProcessingTime() + 2_000);
  }

  private static LoadInput input(StorageLoad load) throws Exception {
    LoadInput input = LoadInput.of(load.getCluster(), load.getKind(), load.getSubject());
    input.bucket = LoadBucket.of(load);
    return input;
  }

  /** Of the server: c idles, d is busy and wrote so many bytes. */
  private static LoadInput server(long second, long closedUntil, int samples, double bytes)
      throws Exception {
    KafkaMessage load = Messages.serverLoad(second, closedUntil, samples, bytes, 0.96875);
    return input(WireCodec.of(StorageLoad.class).decode(load.value));
  }

  private List<LoadPart> parts() {
    return harness.extractOutputValues();
  }

  private List<LoadFacts> answers() {
    return parts().stream().map(part -> part.loads[0]).toList();
  }

  private List<String> states() {
    return answers().stream().map(facts -> facts.state).toList();
  }

  @Test
  void aQuestionAboutClosedLoadIsAnsweredAtOnce() throws Exception {
    load(12, 13);
    load(13, 14);
    request();
    assertThat(states()).containsExactly("CLOSED");
    assertThat(answers().get(0).utilMax).isEqualTo(0.95);
  }

  /**
   * A log that comes again in part, or under an older site, must not end the whole one's question.
   */
  @Test
  void theQuestionOfALesserStateOfTheRunIsPassedOver() throws Exception {
    LoadInput whole = request("log", places().get(0), 12, 13);
    whole.request.batches = 2;
    whole.request.siteRevision = 1;
    LoadInput part = request("log", places().get(0), 12);
    part.request.siteRevision = 1;
    LoadInput olderSite = request("log", places().get(0), 12);
    olderSite.request.batches = 2;
    send(whole, part, olderSite);
    load(12, 13);
    load(13, 14);
    assertThat(parts()).extracting(LoadPart::state).containsExactly(whole.request.state());
    assertThat(answers().get(0).bucketsExpected).isEqualTo(2);
  }

  @Test
  void aQuestionWaitsUntilTheLoadIsClosed() throws Exception {
    request();
    load(12, 13);
    load(13, 13);
    assertThat(answers()).isEmpty();
    load(14, 14);
    assertThat(states()).containsExactly("CLOSED");
  }

  @Test
  void aGapInTheLoadIsToldAsIncomplete() throws Exception {
    request();
    load(12, 13);
    load(14, 15);
    assertThat(states()).containsExactly("INCOMPLETE");
    assertThat(answers().get(0).bucketsClosed).isEqualTo(1);
  }

  @Test
  void withoutAnyLoadTheWaitEnds() throws Exception {
    request();
    harness.setProcessingTime(33_000);
    assertThat(answers()).isEmpty();
    harness.setProcessingTime(35_000);
    assertThat(states()).containsExactly("NO_SAMPLES");
  }

  @Test
  void lateLoadAnswersAgainWithAHigherShare() throws Exception {
    request();
    harness.setProcessingTime(35_000);
    load(12, 13);
    load(12, 13);
    load(13, 14);
    load(14, 15);
    assertThat(states()).containsExactly("NO_SAMPLES", "INCOMPLETE", "CLOSED");
  }

  @Test
  void aServerThatComesLateMendsTheAnswer() throws Exception {
    load(12, 14, 1);
    load(13, 14, 2);
    request();
    load(12, 14, 2);
    load(12, 14, 1);
    assertThat(states()).containsExactly("INCOMPLETE", "CLOSED");
  }

  /** However many buckets come together, the answer is written once. */
  @Test
  void changesAreGatheredForAMoment() throws Exception {
    load(14, 15);
    request();
    send(input(Messages.storageLoad(12, 13)));
    send(input(Messages.storageLoad(13, 14)));
    assertThat(states()).containsExactly("NO_SAMPLES");
    harness.setProcessingTime(harness.getProcessingTime() + 2_000);
    assertThat(states()).containsExactly("NO_SAMPLES", "CLOSED");
  }

  @Test
  void aSampleThatComesAfterTheLoadWasClosedMendsTheAnswer() throws Exception {
    load(12, 14);
    load(13, 14);
    request();
    load(12, 14, 3);
    load(12, 14, 3);
    load(15, 16, 3);
    assertThat(parts()).extracting(part -> part.samples).containsExactly(4L, 5L);
  }

  /** While a server is silent nothing is closed; then all is at once. */
  @Test
  void whatASilentServerHeldBackIsAnsweredWhenItReturns() throws Exception {
    request();
    load(12, 10, 1);
    load(13, 10, 1);
    harness.setProcessingTime(35_000);
    load(14, 15);
    load(12, 15);
    load(13, 15);
    assertThat(states()).containsExactly("NO_SAMPLES", "INCOMPLETE", "INCOMPLETE", "CLOSED");
  }

  /** The run's clock is 10 minutes ahead: what it asks for comes 10 minutes later. */
  @Test
  void aClockThatIsAheadIsAnsweredWhenItsTimeHasCome() throws Exception {
    send(request("log", places().get(0), 612, 613));
    for (int second = 0; second < 600; second++) {
      load(12 + second, 13 + second);
      harness.setProcessingTime(harness.getProcessingTime() + 2_000);
    }
    assertThat(states()).containsExactly("NO_SAMPLES");
    load(612, 613);
    load(613, 614);
    assertThat(states()).containsExactly("NO_SAMPLES", "INCOMPLETE", "CLOSED");
  }

  @Test
  void aClockThatIsBehindIsAnsweredAtOnce() throws Exception {
    for (int second = 12; second < 630; second++) {
      load(second, second + 1);
    }
    request();
    assertThat(states()).containsExactly("CLOSED");
  }

  @Test
  void ofAServerEachDeviceIsAnswered() throws Exception {
    send(request("log", places(C, D).get(1), 12));
    send(server(12, 13, 1, 275));
    LoadPart part = parts().get(0);
    assertThat(part.devices().keySet()).containsExactly(C, D);
    assertThat(part.loads[0].ownBytes).isEqualTo(25);
    assertThat(part.loads[0].utilMean).isZero();
    assertThat(part.loads[1].ownBytes).isEqualTo(75);
    assertThat(part.loads[1].othersBytes).isEqualTo(200);
    assertThat(part.loads[1].utilMean).isEqualTo(0.96875);
  }

  @Test
  void aDeviceThatItsServerDoesNotTellOfHasNoSamples() throws Exception {
    send(request("log", places(C, new OwnDevice("s", "d9", 0.5, true)).get(1), 12));
    send(server(12, 13, 1, 275));
    assertThat(parts().get(0).loads)
        .extracting(f -> f.state)
        .containsExactly("CLOSED", "NO_SAMPLES");
  }

  /** Questions of several runs about several places, buckets in part and again: all orders. */
  @Test
  void whatIsKnownInTheEndDoesNotDependOnTheOrder() throws Exception {
    List<LoadInput> inputs = new ArrayList<>();
    for (LoadPlace place : places(C, D)) {
      inputs.add(request("a", place, 12, 14));
      inputs.add(request("b", place, 13, 14, 15));
    }
    for (int second = 12; second < 18; second++) {
      inputs.add(input(Messages.storageLoad(second, second)));
      inputs.add(server(second, second + 1, 1, 100 * second));
      inputs.add(server(second, second + 1, 2, 101 * second));
    }
    List<String> expected = last(inputs);
    assertThat(expected).hasSize(4).allMatch(answer -> answer.contains("CLOSED"));
    for (int seed = 0; seed < 50; seed++) {
      List<LoadInput> shuffled = new ArrayList<>(inputs);
      shuffled.addAll(inputs.subList(0, 10));
      Collections.shuffle(shuffled, new Random(seed));
      assertThat(last(shuffled)).isEqualTo(expected);
    }
  }

  /** The last answer to each question. */
  private static List<String> last(List<LoadInput> inputs) throws Exception {
    try (var join = Harnesses.loadJoin()) {
      for (LoadInput input : inputs) {
        join.processElement(input, 0);
        join.setProcessingTime(join.getProcessingTime() + 3_000);
      }
      Map<String, String> last = new TreeMap<>();
      for (LoadPart part : join.extractOutputValues()) {
        StringBuilder says = new StringBuilder();
        for (LoadFacts facts : part.loads) {
          says.append(facts.summary());
        }
        last.put(part.logId + part.place.kind, says.append(part.samples).toString());
      }
      return List.copyOf(last.values());
    }
  }

  @Test
  void aQuestionThatIsAskedAnewReplacesTheFirst() throws Exception {
    request();
    LoadInput fuller = request("log", places().get(0), 13, 14);
    fuller.request.batches = 2;
    send(fuller);
    load(12, 13);
    load(13, 14);
    assertThat(parts()).isEmpty();
    load(14, 15);
    assertThat(parts()).extracting(part -> part.batches).containsExactly(2);
    assertThat(states()).containsExactly("CLOSED");
  }

  @Test
  void questionsIndexesAndTimersReturnToZero() throws Exception {
    request();
    request();
    send(request("other", places(C).get(1), 12, 13, 40));
    assertThat(KeyedState.entries(harness)).isPositive();
    harness.setProcessingTime(Duration.ofHours(2).toMillis());
    assertThat(KeyedState.entries(harness)).isZero();
    assertThat(harness.numProcessingTimeTimers()).isZero();
  }

  @Test
  void loadIsForgottenAfterItsRetention() throws Exception {
    harness.setStateTtlProcessingTime(0);
    load(12, 13);
    load(13, 14);
    send(server(12, 13, 1, 275));
    harness.setStateTtlProcessingTime(Duration.ofHours(25).toMillis());
    request();
    send(request("log", places(D).get(1), 12));
    harness.setProcessingTime(Duration.ofMinutes(1).toMillis());
    assertThat(states()).as("devices are kept a day").containsExactly("CLOSED", "NO_SAMPLES");
  }

  @Test
  void aServersLoadWithoutTheColumnsIsRefused() throws Exception {
    StorageLoad load = Messages.storageLoad(12, 13);
    load.setDeviceIds(List.of("d1"));
    load.setDeviceColumns(List.of("bytes_read"));
    load.setDeviceValues(ByteBuffer.allocate(8));
    assertThatThrownBy(() -> LoadBucket.of(load))
        .hasMessage("load of fs: no device column bytes_written");
  }
}
