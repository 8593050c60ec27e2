package org.weir.job.join;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.weir.job.join.JobInputs.load;
import static org.weir.job.join.JobInputs.manifest;
import static org.weir.job.join.JobInputs.run;
import static org.weir.job.join.JobInputs.runElsewhere;
import static org.weir.job.join.JobInputs.runOf;
import static org.weir.job.join.JobInputs.slowRun;
import static org.weir.job.join.JobInputs.submit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.flink.streaming.util.KeyedBroadcastOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.weir.flink.clickhouse.Rows;
import org.weir.flink.kafka.KafkaMessage;
import org.weir.flink.kafka.Topics;
import org.weir.flink.testing.KeyedState;
import org.weir.flink.testing.ReadRows;
import org.weir.job.Harnesses;
import org.weir.job.Messages;
import org.weir.wire.FindingFact;
import org.weir.wire.JobManifest;
import org.weir.wire.JobResult;
import org.weir.wire.LogHeader;
import org.weir.wire.SchedulerJob;
import org.weir.wire.WireCodec;

class JobJoinTest {

  private static final String RESULT = "job_results_versions " + Messages.JOB_UID;

  private KeyedBroadcastOperatorTestHarness<String, JobInput, KafkaMessage, Rows> harness;

  @BeforeEach
  void open() throws Exception {
    harness = Harnesses.jobJoin();
  }

  @AfterEach
  void close() throws Exception {
    harness.close();
  }

  private void send(JobInput... inputs) throws Exception {
    for (JobInput input : inputs) {
      harness.processElement(input, 0);
    }
  }

  private void later(Duration time) throws Exception {
    harness.setProcessingTime(harness.getProcessingTime() + time.toMillis());
  }

  private List<Map<String, Object>> rows(String table) {
    return ReadRows.of(harness.extractOutputValues(), table);
  }

  private Map<String, Object> last(String table) {
    List<Map<String, Object>> rows = rows(table);
    return rows.get(rows.size() - 1);
  }

  private List<JobResult> results() throws Exception {
    List<JobResult> results = new ArrayList<>();
    var messages = harness.getSideOutput(JobJoin.RESULTS);
    if (messages != null) {
      for (var message : messages) {
        results.add(WireCodec.of(JobResult.class).decode(message.getValue().value));
      }
    }
    return results;
  }

  @Test
  void aRunAloneIsWrittenAsWaiting() throws Exception {
    send(run("log", null, 50));
    later(Duration.ofSeconds(1));
    assertThat(last("runs_versions"))
        .containsEntry("job_join", "waiting")
        .containsEntry("load_state", "waiting")
        .containsEntry("user", null)
        .containsEntry("exe", "app");
    assertThat(rows("findings_versions")).isEmpty();
  }

  @Test
  void everyColumnOfARunIsSet() throws Exception {
    send(run("log", null, 50));
    later(Duration.ofSeconds(1));
    assertThat(last("runs_versions").keySet())
        .containsExactlyInAnyOrderElementsOf(ReadRows.columnsToSet("runs_versions"));
  }

  @Test
  void whatComesLaterCompletesIt() throws Exception {
    send(run("log", null, 200), submit(3), load("log", 1), manifest(true, "log"));
    later(Duration.ofSeconds(1));
    assertThat(last("runs_versions"))
        .containsEntry("job_join", "joined")
        .containsEntry("load_state", "closed")
        .containsEntry("user", "ann")
        .containsEntry("run_nodes", 1)
        .containsEntry("findings", List.of("many_opens"));
    assertThat(last("findings_versions"))
        .containsEntry("rule_id", "many_opens")
        .containsEntry("is_deleted", 0);
    assertThat(last("job_results_versions"))
        .containsEntry("settled", 1)
        .containsEntry("logs_analysed", 1)
        .containsEntry("logs_expected", 1);
    assertThat(results()).singleElement().matches(JobResult::getSettled);
    assertThat(results().get(0).getFindings()).hasSize(1);
  }

  @Test
  void aFindingSaysOfItsRunWhatTheRunSays() throws Exception {
    send(run("log", null, 200), submit(3), load("log", 1), manifest(true, "log"));
    later(Duration.ofSeconds(1));
    Map<String, Object> run = last("runs_versions");
    Map<String, Object> finding = last("findings_versions");
    assertThat(finding)
        .containsEntry("user", "ann")
        .containsEntry("account", "proj")
        .containsEntry("program", "app");
    for (String column :
        List.of("job_id", "user", "account", "exe", "program", "filesystem", "verdict")) {
      assertThat(finding).containsEntry(column, run.get(column));
    }
    assertThat(last("job_results_versions"))
        .containsEntry("executables", List.of("app"))
        .containsEntry("filesystems", List.of("fs"));
  }

  @Test
  void anyOrderAndAnyDuplicatesEndInTheSameRows() throws Exception {
    List<JobInput> inputs =
        List.of(
            run("a", null, 200),
            run("b", null, 50, 10),
            submit(1),
            submit(2),
            submit(3),
            load("a", 1),
            load("b", 2),
            manifest(false, "a"),
            manifest(true, "a", "b"));
    Map<String, Map<String, Object>> expected = finalRows(inputs);
    assertThat(expected).hasSize(4);
    for (int seed = 0; seed < 30; seed++) {
      List<JobInput> shuffled = new ArrayList<>(inputs);
      shuffled.addAll(inputs.subList(0, 5));
      Collections.shuffle(shuffled, new Random(seed));
      assertThat(finalRows(shuffled)).isEqualTo(expected);
    }
  }

  private static Map<String, Map<String, Object>> finalRows(List<JobInput> inputs)
      throws Exception {
    try (var fresh = Harnesses.jobJoin()) {
      for (JobInput input : inputs) {
        fresh.processElement(input, 0);
      }
      fresh.setProcessingTime(10_000);
      return ReadRows.newestByIdentity(fresh.extractOutputValues());
    }
  }

  @Test
  void aFindingThatNoLongerHoldsIsTakenBack() throws Exception {
    send(run("log", null, 200));
    later(Duration.ofSeconds(1));
    assertThat(last("findings_versions")).containsEntry("is_deleted", 0);
    String milder = Messages.RULES.replace("opens > 100", "opens > 1000");
    harness.processBroadcastElement(Messages.published(Topics.RULES, "default", 2, milder), 0);
    send(submit(3));
    later(Duration.ofSeconds(1));
    Map<String, Object> taken = last("findings_versions");
    assertThat(taken).containsEntry("rule_id", "many_opens").containsEntry("is_deleted", 1);
    assertThat(last("runs_versions")).containsEntry("findings", List.of());
  }

  @Test
  void aFindingIsTakenBackWhenNothingIsKnownOfItAnyMore() throws Exception {
    harness.setProcessingTime(Messages.micros(60) / 1000);
    send(run("log", null, 200));
    assertForgotten();
    assertThat(last("findings_versions")).containsEntry("is_deleted", 0);
    String milder = Messages.RULES.replace("opens > 100", "opens > 1000");
    harness.processBroadcastElement(Messages.published(Topics.RULES, "default", 2, milder), 0);
    send(run("log", null, 200));
    later(Duration.ofSeconds(1));
    assertThat(last("findings_versions"))
        .containsEntry("rule_id", "many_opens")
        .containsEntry("is_deleted", 1)
        .containsEntry("version", last("runs_versions").get("version"));
  }

  @Test
  void ofARunThatEndedJustNowNoFindingIsTakenBack() throws Exception {
    harness.setProcessingTime(Messages.micros(60) / 1000);
    send(run("log", null, 50));
    later(Duration.ofSeconds(1));
    assertThat(rows("runs_versions")).hasSize(1);
    assertThat(rows("findings_versions")).isEmpty();
  }

  @Test
  void aSupersededRunIsRetractedInEitherOrder() throws Exception {
    send(run("partial", null, 200), run("whole", "partial", 200));
    later(Duration.ofSeconds(1));
    assertRetracted();
    harness.close();
    harness = Harnesses.jobJoin();
    send(run("whole", "partial", 200), run("partial", null, 200));
    later(Duration.ofSeconds(1));
    assertRetracted();
  }

  @Test
  void aLookThatListsAReplacedLogSettlesTheJob() throws Exception {
    send(submit(3), manifest(true, "partial", "whole"));
    send(run("partial", null, 200), load("partial", 1), run("whole", "partial", 200));
    send(load("whole", 1));
    later(Duration.ofSeconds(1));
    assertThat(last("job_results_versions"))
        .containsEntry("settled", 1)
        .containsEntry("logs_analysed", 1)
        .containsEntry("logs_expected", 1)
        .containsEntry("coverage", "instrumented");
  }

  @Test
  void aLookAfterARequeuedJobHasRunAgainTellsOfBothItsSubmits() throws Exception {
    SchedulerJob again = Messages.schedulerJob(3);
    again.setJobUid("again");
    again.setSubmitTime(Messages.micros(30));
    again.setStartTime(Messages.micros(35));
    again.setEndTime(Messages.micros(60));
    LogHeader second = Messages.header(null);
    second.setStartTime(Messages.micros(40));
    second.setEndTime(Messages.micros(50));
    JobManifest both =
        new JobManifest(
            Messages.CLUSTER,
            Messages.JOB_ID,
            null,
            Messages.micros(70),
            true,
            List.of("a", "b"),
            "live");
    byte[] submit = Messages.message(Topics.SCHEDULER_JOB, again).value;
    byte[] look = Messages.message(Topics.JOB_MANIFEST, both).value;
    send(submit(3), run("a", null, 200), runOf("b", second, 200), load("a", 1), load("b", 1));
    send(JobInput.ofSubmit(Messages.CLUSTER, Messages.JOB_ID, submit, 1));
    send(JobInput.ofManifest(Messages.CLUSTER, Messages.JOB_ID, look, 1));
    later(Duration.ofSeconds(1));
    assertThat(results())
        .filteredOn(JobResult::getSettled)
        .extracting(JobResult::getJobUid, JobResult::getLogsAnalysed, JobResult::getLogsExpected)
        .containsExactlyInAnyOrder(tuple(Messages.JOB_UID, 1, 1), tuple("again", 1, 1));
  }

  @Test
  void anIdOfManySubmitsAndLooksIsSettledUpToItsLast() throws Exception {
    int last = 299;
    for (int task = 0; task <= last; task++) {
      send(task(task));
    }
    for (int task = 0; task < 40; task++) {
      send(lastLook(task));
    }
    later(Duration.ofSeconds(1));
    assertThat(settled()).hasSize(40).doesNotContain("task" + last);
    send(lastLook(last));
    later(Duration.ofSeconds(1));
    assertThat(settled()).hasSize(41).contains("task" + last);
  }

  /** One of an array whose tasks share their id. */
  private static JobInput task(int number) {
    SchedulerJob task = Messages.schedulerJob(3);
    task.setJobUid("task" + number);
    byte[] message = Messages.message(Topics.SCHEDULER_JOB, task).value;
    return JobInput.ofSubmit(Messages.CLUSTER, Messages.JOB_ID, message, 1);
  }

  private static JobInput lastLook(int task) {
    JobManifest look =
        new JobManifest(
            Messages.CLUSTER,
            Messages.JOB_ID,
            "task" + task,
            Messages.micros(40),
            true,
            List.of(),
            "live");
    byte[] message = Messages.message(Topics.JOB_MANIFEST, look).value;
    return JobInput.ofManifest(Messages.CLUSTER, Messages.JOB_ID, message, 1);
  }

  private Set<String> settled() throws Exception {
    return results().stream()
        .filter(JobResult::getSettled)
        .map(JobResult::getJobUid)
        .collect(Collectors.toSet());
  }

  @Test
  void whatWasJudgedBeforeTheFirstSiteIsJudgedAgain() throws Exception {
    harness.close();
    List<KafkaMessage> rules = List.of(Messages.control().get(1));
    harness = Harnesses.jobJoin(rules);
    send(submit(3), run("log", null, 200));
    later(Duration.ofSeconds(20));
    assertThat(last("runs_versions")).containsEntry("reference_source", "none");
    harness.processBroadcastElement(Messages.site(1, Messages.SITE), 0);
    later(Duration.ofSeconds(2));
    assertThat(last("runs_versions")).containsEntry("reference_source", "site_peak");
    assertForgotten();
  }

  /** What comes between a new site and the log that is published again under it decides nothing. */
  @Test
  void aLogPublishedAgainUnderAnotherSiteIsPlacedByIt() throws Exception {
    List<JobInput> inputs =
        List.of(
            manifest(true, "log"), runElsewhere("log", 200), load("log", 1), run("log", null, 200));
    for (int first = 0; first < inputs.size(); first++) {
      harness.close();
      harness = Harnesses.jobJoin();
      send(run("log", null, 200), submit(3), load("log", 1));
      later(Duration.ofSeconds(1));
      assertThat(last("runs_versions")).containsEntry("filesystem", "fs");
      harness.processBroadcastElement(Messages.site(2, Messages.SITE_ELSEWHERE), 0);
      List<JobInput> order = new ArrayList<>(inputs);
      Collections.rotate(order, first);
      for (JobInput input : order) {
        send(input);
        later(Duration.ofSeconds(1));
      }
      assertThat(ReadRows.newestByIdentity(harness.extractOutputValues()).get("runs_versions log"))
          .containsEntry("filesystem", null)
          .containsEntry("load_state", "no_filesystem");
      assertThat(last("job_results_versions")).containsEntry("settled", 1);
    }
  }

  /** Its seconds of waiting fill their part of the version, whatever they are. */
  @Test
  void aJobThatWasSubmittedLongAgoIsSettledOnceItsLoadIsKnown() throws Exception {
    SchedulerJob job = Messages.schedulerJob(3);
    job.setSubmitTime(0L);
    byte[] message = Messages.message(Topics.SCHEDULER_JOB, job).value;
    send(JobInput.ofSubmit(Messages.CLUSTER, Messages.JOB_ID, message, 1));
    send(run("log", null, 200), manifest(true, "log"));
    later(Duration.ofSeconds(1));
    assertThat(last("job_results_versions")).containsEntry("settled", 0);
    send(load("log", 1));
    later(Duration.ofSeconds(1));
    assertThat(last("job_results_versions")).containsEntry("settled", 1);
  }

  /** Twelve logs whose load is known settle a job; later nothing is, but there is one more log. */
  @Test
  void aLogThatComesWhenTheRestWasForgottenCountsOnceTheRestIsToldAgain() throws Exception {
    List<String> logs = new ArrayList<>();
    for (int log = 0; log < 12; log++) {
      logs.add("log" + log);
      send(run("log" + log, null, 200), load("log" + log, 1));
    }
    List<JobInput> told = List.of(submit(3), manifest(true, logs.toArray(String[]::new)));
    send(told.toArray(JobInput[]::new));
    later(Duration.ofSeconds(1));
    assertThat(last("job_results_versions")).containsEntry("settled", 1);
    assertForgotten();

    send(run("late", null, 200));
    later(Duration.ofMinutes(11));
    for (String log : logs) {
      send(run(log, null, 200));
    }
    send(told.toArray(JobInput[]::new));
    later(Duration.ofSeconds(1));
    assertThat(ReadRows.newestByIdentity(harness.extractOutputValues()).get(RESULT))
        .containsEntry("logs_analysed", 13);
  }

  private void assertRetracted() {
    Map<String, Map<String, Object>> newest =
        ReadRows.newestByIdentity(harness.extractOutputValues());
    assertThat(newest.get("runs_versions partial")).containsEntry("is_deleted", 1);
    assertThat(newest.get("runs_versions whole")).containsEntry("is_deleted", 0);
    if (newest.containsKey("findings_versions partial many_opens")) {
      assertThat(newest.get("findings_versions partial many_opens")).containsEntry("is_deleted", 1);
    }
  }

  @Test
  void aBurstIsWrittenOnceAndAtTheLatestAfterTheDelay() throws Exception {
    send(run("log", null, 200), submit(2));
    later(Duration.ofMillis(400));
    send(submit(3), load("log", 1));
    assertThat(rows("runs_versions")).isEmpty();
    later(Duration.ofMillis(100));
    assertThat(rows("runs_versions"))
        .singleElement()
        .satisfies(
            row -> {
              assertThat(row).containsEntry("job_join", "joined");
              assertThat(row).containsEntry("load_state", "closed");
            });
    assertThat(rows("job_results_versions")).hasSize(1);
  }

  @Test
  void whatSaysNothingNewIsNotWrittenAgain() throws Exception {
    send(run("log", null, 200), submit(3));
    later(Duration.ofSeconds(1));
    int before = harness.extractOutputValues().size();
    send(run("log", null, 200), submit(3), submit(2));
    later(Duration.ofSeconds(1));
    assertThat(harness.extractOutputValues()).hasSize(before);
  }

  @Test
  void withoutASchedulerRecordTheRunStopsWaiting() throws Exception {
    send(run("log", null, 200));
    later(Duration.ofSeconds(1));
    Object waiting = last("runs_versions").get("version");
    later(Duration.ofMinutes(11));
    assertThat(last("runs_versions")).containsEntry("job_join", "not_joinable");
    assertThat(last("runs_versions").get("job_join_reason").toString()).isNotEmpty();
    Object givenUp = last("runs_versions").get("version");
    assertThat(Long.compareUnsigned((Long) givenUp, (Long) waiting)).isPositive();
    send(submit(3));
    later(Duration.ofSeconds(1));
    assertThat(last("runs_versions")).containsEntry("job_join", "joined");
    assertThat(Long.compareUnsigned((Long) last("runs_versions").get("version"), (Long) givenUp))
        .isPositive();
  }

  @Test
  void aJobWithoutLogsIsVisible() throws Exception {
    send(submit(3), manifest(true));
    later(Duration.ofSeconds(1));
    assertThat(last("job_results_versions"))
        .containsEntry("settled", 1)
        .containsEntry("traits", List.of("no_darshan_log"));
  }

  @Test
  void stateAndTimersReturnToZeroWithoutEnd() throws Exception {
    send(submit(2));
    assertForgotten();
  }

  @Test
  void stateAndTimersReturnToZeroWithoutStart() throws Exception {
    send(run("log", null, 200), manifest(true, "log"));
    assertForgotten();
  }

  @Test
  void anEndAfterTheTimerStartsAnewAndGoesToo() throws Exception {
    send(submit(2), run("log", null, 200));
    assertForgotten();
    send(submit(3));
    later(Duration.ofSeconds(1));
    assertThat(last("job_results_versions")).containsEntry("state", "COMPLETED");
    assertForgotten();
  }

  private void assertForgotten() throws Exception {
    assertThat(KeyedState.entries(harness)).isPositive();
    later(Duration.ofDays(10));
    assertThat(KeyedState.entries(harness)).isZero();
    assertThat(harness.numProcessingTimeTimers()).isZero();
  }

  @Test
  void aListedLogOfAnotherUserSettlesTheJobAndIsToldOf() throws Exception {
    JobInput foreign = run("log", null, 50);
    foreign.run.uid += 1;
    send(foreign, submit(3), manifest(true, "log"));
    later(Duration.ofSeconds(1));
    assertThat(last("job_results_versions"))
        .containsEntry("settled", 0)
        .containsEntry("coverage", "awaited");
    later(Duration.ofMinutes(11));
    assertThat(last("job_results_versions"))
        .containsEntry("settled", 1)
        .containsEntry("coverage", "unjoinable");
    assertThat(last("job_results_versions").get("coverage_reason").toString())
        .startsWith("log log: the log says uid ");
  }

  /** The job's record of the same state, told again with another user id. */
  private static JobInput corrected(long uid) {
    SchedulerJob job = Messages.schedulerJob(3);
    job.setUid(uid);
    job.setVersion(job.getVersion() + 1);
    byte[] message = Messages.message(Topics.SCHEDULER_JOB, job).value;
    return JobInput.ofSubmit(Messages.CLUSTER, Messages.JOB_ID, message, 1);
  }

  @Test
  void aCorrectionOfTheSameStateJoinsWhatWasGivenUp() throws Exception {
    JobInput foreign = run("log", null, 200);
    foreign.run.uid = 1001;
    foreign.run.ownerUid = 1001L;
    send(foreign, submit(3), manifest(true, "log"));
    later(Duration.ofMinutes(11));
    assertThat(last("runs_versions")).containsEntry("job_join", "not_joinable");
    send(corrected(1001));
    later(Duration.ofSeconds(1));
    assertThat(last("runs_versions")).containsEntry("job_join", "joined");
    assertThat(last("job_results_versions"))
        .containsEntry("logs_analysed", 1)
        .containsEntry("coverage", "instrumented");
    assertThat(results().get(results().size() - 1).getFindings()).hasSize(1);
    Map<String, Map<String, Object>> givenUpFirst =
        ReadRows.newestByIdentity(harness.extractOutputValues());

    harness.close();
    harness = Harnesses.jobJoin();
    send(foreign, submit(3), manifest(true, "log"), corrected(1001));
    later(Duration.ofSeconds(1));
    assertThat(ReadRows.newestByIdentity(harness.extractOutputValues())).isEqualTo(givenUpFirst);
  }

  @Test
  void aCorrectionOfTheSameStatePartsWhatWasJoined() throws Exception {
    send(run("log", null, 200), submit(3), manifest(true, "log"));
    later(Duration.ofSeconds(1));
    assertThat(last("runs_versions")).containsEntry("job_join", "joined");
    send(corrected(1001));
    later(Duration.ofSeconds(1));
    assertThat(last("runs_versions")).containsEntry("job_join", "not_joinable");
    assertThat(last("job_results_versions")).containsEntry("coverage", "unjoinable");
    Map<String, Map<String, Object>> joinedFirst =
        ReadRows.newestByIdentity(harness.extractOutputValues());

    harness.close();
    harness = Harnesses.jobJoin();
    send(run("log", null, 200), corrected(1001), manifest(true, "log"));
    later(Duration.ofMinutes(11));
    assertThat(ReadRows.newestByIdentity(harness.extractOutputValues())).isEqualTo(joinedFirst);
  }

  @Test
  void theLastLogOfManyIsGivenUp() throws Exception {
    List<String> logs = new ArrayList<>();
    for (int log = 0; log < 70; log++) {
      logs.add("log" + log);
      JobInput one = run("log" + log, null, 50);
      one.run.uid += log == 69 ? 1 : 0;
      send(one, load("log" + log, 1));
    }
    send(submit(3), manifest(true, logs.toArray(String[]::new)));
    later(Duration.ofSeconds(1));
    assertThat(last("job_results_versions"))
        .containsEntry("settled", 0)
        .containsEntry("logs_analysed", 69);
    later(Duration.ofMinutes(11));
    assertThat(last("job_results_versions")).containsEntry("settled", 1);
  }

  /** 100 runs with two findings of over 3,000 bytes each: 600 kB in all. */
  @Test
  void theMessageOfAJobHoldsItsMostSevereFindings() throws Exception {
    String advice = "\u00e4".repeat(1_500);
    String rule =
        "{\"id\":\"%s\",\"title\":\"Many opens\",\"condition\":\"opens > 100\","
            + "\"evidence\":[\"opens\"],\"advice\":[\"%s\"],\"severity\":{%s}}";
    String rules =
        "{\"id\":\"default\",\"rules\":[%s,%s]}"
            .formatted(
                rule.formatted("a_mild", advice, ""),
                rule.formatted("z_severe", advice, "\"critical\":1e-9"));
    harness.processBroadcastElement(Messages.published(Topics.RULES, "default", 2, rules), 0);
    List<JobInput> runs = new ArrayList<>();
    for (int log = 0; log < 100; log++) {
      runs.add(slowRun("log%02d".formatted(log)));
    }
    send(submit(3), runs.get(1), runs.get(0));
    later(Duration.ofSeconds(1));
    assertThat(results().get(0).getFindings())
        .as("all of them, by log")
        .extracting(FindingFact::getLogId, FindingFact::getRuleId)
        .containsExactly(
            tuple("log00", "a_mild"),
            tuple("log00", "z_severe"),
            tuple("log01", "a_mild"),
            tuple("log01", "z_severe"));
    send(runs.toArray(JobInput[]::new));
    later(Duration.ofSeconds(1));

    assertThat(rows("findings_versions").stream().filter(row -> row.get("is_deleted").equals(0)))
        .hasSize(200);
    byte[] message =
        new ArrayList<>(harness.getSideOutput(JobJoin.RESULTS)).get(1).getValue().value;
    assertThat(message).hasSizeBetween(500_000, 525_000);
    List<FindingFact> findings = results().get(1).getFindings();
    assertThat(findings.subList(0, 100))
        .allMatch(finding -> finding.getSeverity().equals("critical"))
        .extracting(FindingFact::getLogId)
        .isSorted()
        .doesNotHaveDuplicates();
    assertThat(findings.subList(100, findings.size()))
        .allMatch(finding -> finding.getRuleId().equals("a_mild"))
        .extracting(FindingFact::getLogId)
        .startsWith("log00", "log01", "log02");
  }
}
