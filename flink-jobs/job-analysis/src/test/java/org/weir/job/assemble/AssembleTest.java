package org.weir.job.assemble;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.apache.flink.streaming.util.KeyedBroadcastOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.weir.analysis.run.RunFeatures;
import org.weir.flink.kafka.KafkaMessage;
import org.weir.flink.testing.KeyedState;
import org.weir.job.Harnesses;
import org.weir.job.Messages;
import org.weir.job.load.LoadRequest;
import org.weir.job.run.RunSummary;

public class AssembleTest {

  private KeyedBroadcastOperatorTestHarness<String, LogPart, KafkaMessage, RunSummary> harness;

  @BeforeEach
  void open() throws Exception {
    harness = Harnesses.assemble();
  }

  @AfterEach
  void close() throws Exception {
    harness.close();
  }

  private void send(List<LogPart> parts) throws Exception {
    for (LogPart part : parts) {
      harness.processElement(part, 0);
    }
  }

  private List<RunSummary> runs() {
    return harness.extractOutputValues();
  }

  @Test
  void aRunIsEmittedWhenAllItsPartsAreThere() throws Exception {
    List<LogPart> parts = LogParts.of(Messages.log("log", 50, 60));
    send(parts.subList(0, 3));
    assertThat(runs()).isEmpty();
    send(parts.subList(3, 4));
    RunFeatures features = runs().get(0).readFeatures();
    assertThat(features.value("opens")).isEqualTo(110);
    assertThat(features.logState().text()).isEqualTo("complete");
    assertThat(harness.getSideOutput(Assemble.ROWS)).hasSize(1);
    LoadRequest request = harness.getSideOutput(Assemble.REQUESTS).peek().getValue();
    assertThat(request.place.filesystem).isEqualTo("fs");
    assertThat(request.starts).startsWith(Messages.micros(12));
  }

  @Test
  void ofManyBatchesFewAreKeptApart() throws Exception {
    List<LogPart> parts =
        LogParts.of(Messages.log("log", LongStream.rangeClosed(1, 100).toArray()));
    Collections.shuffle(parts, new Random(1));
    for (LogPart part : parts) {
      send(List.of(part, part));
      assertThat(KeyedState.entries(harness)).isLessThanOrEqualTo(17);
    }
    assertThat(runs()).hasSize(1);
    assertThat(runs().get(0).readFeatures().value("opens")).isEqualTo(5050);
    assertThat(KeyedState.entries(harness)).isEqualTo(1);
  }

  @Test
  void anyOrderAndAnyDuplicatesGiveTheSameRun() throws Exception {
    List<LogPart> parts = LogParts.of(Messages.log("log", 1, 2, 3, 4));
    send(parts);
    byte[] expected = runs().get(0).features;
    for (int seed = 0; seed < 20; seed++) {
      List<LogPart> shuffled = new ArrayList<>(parts);
      shuffled.addAll(parts.subList(1, 4));
      Collections.shuffle(shuffled, new Random(seed));
      try (var other = Harnesses.assemble()) {
        for (LogPart part : shuffled) {
          other.processElement(part, 0);
        }
        assertThat(other.extractOutputValues()).hasSize(1);
        assertThat(other.extractOutputValues().get(0).features).isEqualTo(expected);
      }
    }
  }

  @Test
  void partsThatStopComingAreAnalysedAsIncomplete() throws Exception {
    List<LogPart> parts = LogParts.of(Messages.log("log", 50, 60));
    send(parts.subList(0, 2));
    harness.setProcessingTime(62_000);
    assertThat(runs()).hasSize(1);
    assertThat(runs().get(0).readFeatures().logState().text()).isEqualTo("incomplete");
    assertThat(runs().get(0).isWhole()).isFalse();
    send(parts.subList(3, 4));
    harness.setProcessingTime(124_000);
    assertThat(runs()).hasSize(2);
    assertThat(runs().get(1).batchesExpected).isEqualTo(2);
    send(parts.subList(2, 3));
    assertThat(runs()).hasSize(3);
    assertThat(runs().get(2).readFeatures().logState().text()).isEqualTo("complete");
  }

  @Test
  void duplicatesOfACompleteLogGiveNothingForAWhileAndThenTheSame() throws Exception {
    List<LogPart> parts = LogParts.of(Messages.log("log", 50));
    send(parts);
    send(parts);
    assertThat(runs()).hasSize(1);
    harness.setProcessingTime(Duration.ofHours(2).toMillis());
    send(parts);
    assertThat(runs()).hasSize(2);
    assertThat(runs().get(1).features).isEqualTo(runs().get(0).features);
  }

  @Test
  void aLogThatIsPublishedAgainUnderAnotherSiteIsAnalysedAnew() throws Exception {
    send(LogParts.of(Messages.log("log", 50)));
    assertThat(runs().get(0).readFeatures().filesystem()).isEqualTo("fs");
    KafkaMessage elsewhere = Messages.site(2, Messages.SITE_ELSEWHERE);
    harness.processBroadcastElement(elsewhere, 0);
    List<LogPart> again = LogParts.of(Messages.log("log", 50), List.of(elsewhere));
    send(again);
    send(again);
    assertThat(runs()).extracting(run -> run.siteRevision).containsExactly(1, 2);
    assertThat(runs().get(1).readFeatures().filesystem()).isNull();
    assertThat(KeyedState.entries(harness)).isEqualTo(1);
  }

  /** Its batches were added up under the old site: what it says is not of the new one. */
  @Test
  void aLogDuringWhichTheSiteChangesIsOfTheOlderOne() throws Exception {
    List<LogPart> parts = LogParts.of(Messages.log("log", 50, 60));
    send(parts.subList(0, 2));
    harness.processBroadcastElement(Messages.site(2, Messages.SITE_ELSEWHERE), 0);
    send(parts.subList(2, 4));
    assertThat(runs()).extracting(run -> run.siteRevision).containsExactly(1);
  }

  /** Some parts were decoded before the site was there, some after; here it comes as late. */
  @Test
  void aLogBeforeTheFirstSiteWaitsForItAndIsTheSame() throws Exception {
    List<LogPart> placed = LogParts.of(Messages.log("log", 50, 60));
    send(placed);
    List<LogPart> parts = new ArrayList<>(LogParts.of(Messages.log("log", 50, 60), List.of()));
    assertThat(parts.get(1).kind).isEqualTo(LogPart.UNPLACED_BATCH);
    parts.set(2, placed.get(2));
    try (var early = Harnesses.assemble(List.of())) {
      for (LogPart part : parts) {
        early.processElement(part, 0);
      }
      early.setProcessingTime(20_000);
      assertThat(early.extractOutputValues()).isEmpty();
      early.processBroadcastElement(Messages.site(1, Messages.SITE), 0);
      early.setProcessingTime(22_000);
      assertThat(early.extractOutputValues()).hasSize(1);
      assertThat(early.extractOutputValues().get(0).features).isEqualTo(runs().get(0).features);
      assertThat(early.getSideOutput(Assemble.REQUESTS)).hasSize(1);
      early.setProcessingTime(Duration.ofHours(6).toMillis());
      assertThat(KeyedState.entries(early)).isZero();
      assertThat(early.numProcessingTimeTimers()).isZero();
    }
  }

  @Test
  void withoutASiteTheLogIsAnalysedAfterAWait() throws Exception {
    try (var early = Harnesses.assemble(List.of())) {
      for (LogPart part : LogParts.of(Messages.log("log", 50), List.of())) {
        early.processElement(part, 0);
      }
      early.setProcessingTime(30_000);
      assertThat(early.extractOutputValues()).isEmpty();
      early.setProcessingTime(33_000);
      RunFeatures features = early.extractOutputValues().get(0).readFeatures();
      assertThat(features.value("bytes_written")).isEqualTo(1 << 20);
      assertThat(features.filesystem()).isNull();
    }
  }

  @Test
  void stateAndTimersReturnToZero() throws Exception {
    send(LogParts.of(Messages.log("complete", 50)));
    send(LogParts.of(Messages.log("no-end", 50)).subList(0, 2));
    send(LogParts.of(Messages.log("no-header", 50)).subList(1, 3));
    assertThat(KeyedState.entries(harness)).isEqualTo(1 + 2 * 2);
    harness.setProcessingTime(Duration.ofHours(2).toMillis());
    assertThat(KeyedState.entries(harness)).isEqualTo(2 * 2);
    harness.setProcessingTime(Duration.ofHours(6).toMillis());
    assertThat(KeyedState.entries(harness)).isZero();
    assertThat(harness.numProcessingTimeTimers()).isZero();
    assertThat(runs()).extracting(r -> r.logId).containsExactly("complete", "no-end");
  }
}
