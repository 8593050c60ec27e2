package org.weir.job.evaluate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import org.apache.flink.streaming.util.KeyedBroadcastOperatorTestHarness;
import org.weir.analysis.compare.Baseline;
import org.weir.flink.clickhouse.Rows;
import org.weir.flink.kafka.KafkaMessage;
import org.weir.flink.kafka.Topics;
import org.weir.flink.testing.ReadRows;
import org.weir.job.Harnesses;
import org.weir.job.Messages;
import org.weir.job.assemble.LogPart;
import org.weir.job.assemble.LogParts;
import org.weir.job.baseline.BaselineAnswer;
import org.weir.job.join.JobInput;
import org.weir.job.join.JobInputs;
import org.weir.job.load.LoadAnswer;
import org.weir.job.run.LoadFacts;
import org.weir.job.run.RunSummary;
import org.weir.wire.Identity;
import org.weir.wire.JobManifest;
import org.weir.wire.SchedulerJob;
import org.weir.wire.WireCodec;

/**
 * The contract of versions, for whatever comes around one job id in whatever order: two submits of
 * it, logs whole and in part, under an older and a newer site, one that replaces another, load that
 * closes bit by bit, looks.
 */
@Tag("slow")
class VersionsPropertyTest {

  private static final String SECOND_UID = Identity.jobUid(Messages.CLUSTER, 42, null, 1_000);
  private static final long WAITS_MILLIS = 11 * 60_000;
  private static final List<JobInput> PIECES = pieces();

  /** With these a job of one log is settled. */
  private static final List<JobInput> COMPLETE = complete();

  private static List<JobInput> complete() {
    try {
      return List.of(
          submit(Messages.schedulerJob(3)),
          JobInputs.run("a", null, 200, 50, 10),
          load("a", 3, 2),
          look(40, true, "a"));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<JobInput> pieces() {
    try {
      List<JobInput> pieces = new ArrayList<>();
      for (int rank = 1; rank <= 3; rank++) {
        pieces.add(submit(Messages.schedulerJob(rank)));
        SchedulerJob requeued = Messages.schedulerJob(rank);
        requeued.setJobUid(SECOND_UID);
        requeued.setVersion(requeued.getVersion() + 5);
        pieces.add(submit(requeued));
      }
      SchedulerJob corrected = Messages.schedulerJob(3);
      corrected.setState("FAILED");
      corrected.setVersion(corrected.getVersion() + 2);
      pieces.add(submit(corrected));
      for (String log : List.of("a", "b")) {
        for (int runs = 1; runs <= 3; runs++) {
          pieces.add(baseline(log, runs));
        }
        pieces.add(partial(log, 1, false));
        pieces.add(partial(log, 1, true));
        pieces.add(partial(log, 2, true));
        pieces.add(JobInputs.run(log, null, 200, 50, 10));
        for (int closed = 0; closed <= 2; closed++) {
          pieces.add(load(log, 3, closed));
          pieces.add(load(log, 1, closed));
        }
        pieces.add(laterSample(log));
        pieces.add(JobInputs.runElsewhere(log, 200, 50, 10));
      }
      pieces.add(JobInputs.run("whole", "a", 200));
      pieces.add(look(40, false, "a"));
      pieces.add(look(45, false, "a", "b"));
      pieces.add(look(50, true, "a", "b"));
      pieces.add(look(60, true, "a", "b", "whole"));
      return pieces;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static JobInput submit(SchedulerJob job) {
    byte[] message = Messages.message(Topics.SCHEDULER_JOB, job).value;
    return JobInput.ofSubmit(Messages.CLUSTER, Messages.JOB_ID, message, 1);
  }

  private static JobInput look(long second, boolean isFinal, String... logs) {
    JobManifest look =
        new JobManifest(
            Messages.CLUSTER,
            Messages.JOB_ID,
            Messages.JOB_UID,
            Messages.micros(second),
            isFinal,
            List.of(logs),
            "live");
    byte[] message = WireCodec.of(JobManifest.class).encode(look);
    return JobInput.ofManifest(Messages.CLUSTER, Messages.JOB_ID, message, 1);
  }

  /** The first batches of a log of three, as they are put together when the rest does not come. */
  private static JobInput partial(String log, int batches, boolean withEnd) throws Exception {
    List<KafkaMessage> parts = Messages.log(log, 200, 50, 10);
    List<KafkaMessage> there = new ArrayList<>(parts.subList(0, 1 + batches));
    if (withEnd) {
      there.add(parts.get(4));
    }
    try (var assemble = Harnesses.assemble()) {
      for (LogPart part : LogParts.of(there)) {
        assemble.processElement(part, 0);
      }
      assemble.setProcessingTime(assemble.getProcessingTime() + 61_000);
      return JobInput.ofRun(assemble.extractOutputValues().get(0));
    }
  }

  /** A sample comes after the load was closed. */
  private static JobInput laterSample(String log) {
    JobInput input = load(log, 3, 2);
    input.load.facts.samples++;
    input.load.facts.utilMean = 0.3;
    return input;
  }

  /** Said when the wait was over: of two busy seconds so many are closed. */
  private static JobInput load(String log, int batches, int closed) {
    JobInput input = JobInputs.load(log, batches);
    LoadFacts facts = input.load.facts;
    facts.bucketsClosed = closed;
    facts.samples = closed;
    facts.state = closed == 0 ? "NO_SAMPLES" : closed == 1 ? "INCOMPLETE" : "CLOSED";
    facts.utilMean = closed == 0 ? null : Double.valueOf(0.1 * closed);
    return input;
  }

  private static JobInput baseline(String log, int runs) {
    BaselineAnswer answer = new BaselineAnswer();
    answer.cluster = Messages.CLUSTER;
    answer.jobId = Messages.JOB_ID;
    answer.logId = log;
    answer.baseline = new Baseline(runs, Messages.micros(-runs), 10.0 * runs, 20.0 * runs);
    return JobInput.ofBaseline(answer);
  }

  /** What comes, by index into {@link #PIECES}; and after which of them the waits end. */
  record History(List<Integer> pieces, int waitsEndAfter, int revisionAfter, long seed) {}

  @Provide
  Arbitrary<History> histories() {
    Arbitrary<List<Integer>> pieces =
        Arbitraries.integers()
            .between(0, PIECES.size() - 1)
            .list()
            .ofMinSize(1)
            .ofMaxSize(40)
            .map(VersionsPropertyTest::withAskers);
    Arbitrary<Integer> places = Arbitraries.integers().between(0, 40);
    return Combinators.combine(pieces, places, places, Arbitraries.longs()).as(History::new);
  }

  /** No load is told of a run that did not ask for it, before or after. */
  private static List<Integer> withAskers(List<Integer> pieces) {
    List<Integer> all = new ArrayList<>(pieces);
    for (int piece : pieces) {
      LoadAnswer load = PIECES.get(piece).load;
      if (load != null) {
        all.add(
            IntStream.range(0, PIECES.size()).filter(i -> asked(i, load)).findFirst().getAsInt());
      }
    }
    return all;
  }

  private static boolean asked(int piece, LoadAnswer load) {
    RunSummary run = PIECES.get(piece).run;
    return run != null && run.logId.equals(load.logId) && run.batchesAnalyzed == load.batches;
  }

  @Property(tries = 100)
  void equalVersionMeansEqualContentAndNoneIsLower(@ForAll("histories") History history)
      throws Exception {
    List<Rows> rows = play(history.pieces, history.waitsEndAfter, history.revisionAfter);
    Map<String, Map<String, Object>> last = new HashMap<>();
    for (Rows block : rows) {
      ReadRows.newestByIdentity(List.of(block))
          .forEach(
              (identity, row) -> {
                Map<String, Object> before = last.put(identity, row);
                if (before != null) {
                  int order = Long.compareUnsigned(version(row), version(before));
                  assertThat(order).as("versions of %s", identity).isNotNegative();
                  if (order == 0) {
                    assertThat(row).isEqualTo(before);
                  }
                }
              });
    }
  }

  @Property(tries = 100)
  void whatIsKnownInTheEndDoesNotDependOnTheOrder(@ForAll("histories") History history)
      throws Exception {
    List<Integer> shuffled = new ArrayList<>(history.pieces);
    Collections.shuffle(shuffled, new Random(history.seed));
    assertThat(inTheEnd(play(shuffled, 0, -1)))
        .isEqualTo(inTheEnd(play(history.pieces, history.waitsEndAfter, -1)));
  }

  /**
   * A job that fails begins anew from an older state and may compare runs with fewer earlier ones
   * than before. What it knows in the end still wins over what was written before the failure.
   */
  @Property(tries = 200)
  void fewerEarlierRunsAfterAFailureLeaveNoJobUnsettled(@ForAll("histories") History history)
      throws Exception {
    List<JobInput> all = new ArrayList<>(COMPLETE);
    history.pieces.stream().map(PIECES::get).filter(p -> p.baseline == null).forEach(all::add);
    Collections.shuffle(all, new Random(history.seed));
    List<JobInput> before = new ArrayList<>(List.of(baseline("a", 32), baseline("b", 32)));
    before.addAll(all.subList(0, Math.min(history.waitsEndAfter, all.size())));
    List<Rows> untilFailure = playInputs(before, -1, -1, false);
    List<Rows> afterwards = playInputs(all, -1, -1, true);
    List<Rows> both = new ArrayList<>(afterwards);
    both.addAll(untilFailure);
    assertThat(settled(both)).isEqualTo(settled(afterwards));
  }

  private static Map<String, Object> settled(List<Rows> rows) {
    Map<String, Object> settled = new HashMap<>();
    ReadRows.newestByIdentity(rows)
        .forEach((identity, row) -> settled.put(identity, row.get("settled")));
    settled.values().removeIf(Objects::isNull); // rows of runs and findings
    return settled;
  }

  /** Rows that are shown; a finding that never was and one that was taken back are the same. */
  private static Map<String, Map<String, Object>> inTheEnd(List<Rows> rows) {
    Map<String, Map<String, Object>> newest = ReadRows.newestByIdentity(rows);
    newest.values().removeIf(row -> row.get("is_deleted").equals(1));
    return newest;
  }

  private static long version(Map<String, Object> row) {
    return (Long) row.get("version");
  }

  private static List<Rows> play(List<Integer> pieces, int waitsEndAfter, int revisionAfter)
      throws Exception {
    return playInputs(
        pieces.stream().map(PIECES::get).toList(), waitsEndAfter, revisionAfter, true);
  }

  private static List<Rows> playInputs(
      List<JobInput> inputs, int waitsEndAfter, int revisionAfter, boolean toTheEnd)
      throws Exception {
    try (KeyedBroadcastOperatorTestHarness<String, JobInput, KafkaMessage, Rows> join =
        Harnesses.jobJoin()) {
      for (int i = 0; i < inputs.size(); i++) {
        join.processElement(inputs.get(i), 0);
        if (i == waitsEndAfter) {
          later(join);
        } else if (i % 3 == 0) {
          join.setProcessingTime(join.getProcessingTime() + 600);
        }
        if (i == revisionAfter) {
          String milder = Messages.RULES.replace("opens > 100", "opens > 1000");
          join.processBroadcastElement(Messages.published(Topics.RULES, "default", 2, milder), 0);
        }
      }
      if (toTheEnd) {
        later(join);
      }
      return join.extractOutputValues();
    }
  }

  private static void later(
      KeyedBroadcastOperatorTestHarness<String, JobInput, KafkaMessage, Rows> join)
      throws Exception {
    join.setProcessingTime(join.getProcessingTime() + WAITS_MILLIS);
  }
}
