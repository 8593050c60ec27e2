package org.weir.alerting;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.co.CoBroadcastWithKeyedOperator;
import org.apache.flink.streaming.util.KeyedBroadcastOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.weir.alerts.CaseFacts;
import org.weir.alerts.JobFacts;
import org.weir.alerts.PastOfUser;
import org.weir.alerts.Wish;
import org.weir.alerts.policy.Policy;
import org.weir.flink.clickhouse.Rows;
import org.weir.flink.kafka.KafkaMessage;
import org.weir.flink.kafka.KafkaOut;
import org.weir.flink.kafka.Topics;
import org.weir.wire.Alert;
import org.weir.wire.AlertReport;
import org.weir.wire.Control;
import org.weir.wire.FindingFact;
import org.weir.wire.Identity;
import org.weir.wire.JobResult;
import org.weir.wire.Published;
import org.weir.wire.RunFact;
import org.weir.wire.WireCodec;

/** Results as they come from Kafka, to messages as they leave; also over a restart. */
class UserDeskTest {

  private static final Instant NOON = Instant.parse("2026-05-04T12:00:00Z");
  private static final long PUBLISHED = NOON.minusSeconds(2).toEpochMilli() * 1000;
  private static final String LIVE =
      "{\"cluster\":\"lab\",\"time_zone\":\"UTC\",\"alerts\":{\"mode\":\"live\"}}";

  private KeyedBroadcastOperatorTestHarness<String, DeskInput, KafkaMessage, Rows> harness;
  private static final Past NO_PAST =
      (cluster, user, now) -> new PastOfUser(List.of(), List.of(), List.of());

  @BeforeEach
  void open() throws Exception {
    harness = harness(null, NO_PAST);
  }

  private static KeyedBroadcastOperatorTestHarness<String, DeskInput, KafkaMessage, Rows> harness(
      OperatorSubtaskState from, Past past) throws Exception {
    Published site = new Published("lab", 1, LIVE);
    KafkaMessage published =
        new KafkaMessage(Topics.SITE, 0, 1, 0, WireCodec.of(Published.class).encode(site));
    var made =
        new KeyedBroadcastOperatorTestHarness<String, DeskInput, KafkaMessage, Rows>(
            new CoBroadcastWithKeyedOperator<>(
                new UserDesk(() -> List.of(published), past, AlertingSettings.defaults()),
                List.of(Policies.DESCRIPTOR)),
            DeskInput::key,
            Types.STRING,
            128,
            1,
            0);
    made.setup();
    if (from != null) {
      made.initializeState(from);
    }
    made.open();
    made.setProcessingTime(NOON.toEpochMilli());
    return made;
  }

  @AfterEach
  void close() throws Exception {
    harness.close();
  }

  private static JobResult result(String uid, long version, String... rules) {
    List<FindingFact> findings = new ArrayList<>();
    for (String rule : rules) {
      findings.add(
          FindingFact.newBuilder()
              .setRuleId(rule)
              .setLogId("log-" + uid)
              .setSeverity("warning")
              .setEvidenceClass("exact")
              .setEvidence("{}")
              .setAdvice(List.of())
              .setTitle("Small writes")
              .build());
    }
    RunFact run =
        RunFact.newBuilder()
            .setLogId("log-" + uid)
            .setProgram("ior")
            .setEndTime(NOON.toEpochMilli() * 1000)
            .setLogState("complete")
            .setOwnerCheck("strict")
            .setRunTimeSeconds(3600.0)
            .setTimeLostSeconds(1800.0)
            .setNodeHoursLost(8.0)
            .setSiteBytes(1e10)
            .setVerdict("application")
            .setUnknowable(List.of())
            .setReport("{\"kind\":\"run\"}")
            .build();
    return JobResult.newBuilder()
        .setCluster("lab")
        .setJobUid(uid)
        .setJobId(1)
        .setUser("ada")
        .setState("COMPLETED")
        .setEndTime(NOON.toEpochMilli() * 1000)
        .setSettled(true)
        .setLogsAnalysed(1)
        .setVerdict("application")
        .setVerdictReason("")
        .setFindings(findings)
        .setVersion(version)
        .setOrigin("live")
        .setRuns(List.of(run))
        .build();
  }

  private void send(JobResult result) throws Exception {
    harness.processElement(DeskInput.of("lab", "ada", JobFacts.of(result), PUBLISHED), 0);
  }

  private void pass(Duration time) throws Exception {
    harness.setProcessingTime(harness.getProcessingTime() + time.toMillis());
  }

  private List<Alert> alerts() throws Exception {
    var sent = harness.getSideOutput(UserDesk.ALERTS);
    List<Alert> alerts = new ArrayList<>();
    if (sent != null) {
      for (var each : sent) {
        KafkaOut out = each.getValue();
        alerts.add(WireCodec.of(Alert.class).decode(out.value));
      }
    }
    return alerts;
  }

  @Test
  void aSettledResultIsOneMessageOfFacts() throws Exception {
    send(result("1", 1, "small_writes"));
    pass(Duration.ofMinutes(1));
    send(result("1", 2, "small_writes"));
    pass(Duration.ofDays(1));
    assertThat(alerts())
        .singleElement()
        .satisfies(
            alert -> {
              assertThat(alert.getMode()).isEqualTo("live");
              assertThat(alert.getRecipient()).isEqualTo("ada");
              assertThat(alert.getNodeHoursLost()).isEqualTo(8);
              assertThat(alert.getCases().get(0).getRuleId()).isEqualTo("small_writes");
              assertThat(alert.getCases().get(0).getTitle()).isEqualTo("Small writes");
              assertThat(alert.getSettledAt()).isEqualTo(PUBLISHED);
              assertThat(alert.getReports())
                  .singleElement()
                  .extracting(AlertReport::getReport)
                  .isEqualTo("{\"kind\":\"run\"}");
              assertThat(alert.getJobs().get(0).getRuns().get(0).getProgram()).isEqualTo("ior");
            });
  }

  @Test
  void aRestartForgetsNothing() throws Exception {
    send(result("1", 1, "small_writes"));
    OperatorSubtaskState before = harness.snapshot(1, 1);
    harness.close();
    harness = harness(before, NO_PAST);
    pass(Duration.ofMinutes(1));
    assertThat(alerts()).hasSize(1);
    OperatorSubtaskState after = harness.snapshot(2, 2);
    harness.close();
    harness = harness(after, NO_PAST);
    send(result("1", 2, "small_writes"));
    send(result("2", 1, "small_writes"));
    pass(Duration.ofDays(1));
    assertThat(alerts()).isEmpty();
  }

  @Test
  void afterTheLossOfAllStateWhatWasSentIsNotSentAgain() throws Exception {
    harness.close();
    harness =
        harness(
            null,
            (cluster, user, now) -> {
              assertThat(cluster + "/" + user).isEqualTo("lab/ada");
              CaseFacts it = new CaseFacts();
              it.id = Identity.caseId("lab", "ada", "ior", "small_writes");
              it.program = "ior";
              it.rule = "small_writes";
              it.runs = 4;
              it.sentAt = NOON.minus(Duration.ofDays(1)).toEpochMilli();
              it.sentIn = Policy.Mode.LIVE;
              it.timesSent = 1;
              return new PastOfUser(List.of(it), List.of(), List.of());
            });
    send(result("2", 1, "small_writes"));
    pass(Duration.ofMinutes(1));
    assertThat(alerts()).isEmpty();
  }

  @Test
  void whatIsDueSoonerThanWhatWaitsIsSentSooner() throws Exception {
    publish(2, ",\"quiet_hours\":{\"from\":\"10:00\",\"to\":\"14:00\"}");
    send(result("1", 1, "small_writes"));
    publish(3, "");
    send(result("2", 1, "small_reads"));
    pass(Duration.ofMinutes(1));
    assertThat(alerts()).extracting(Alert::getUnit).containsExactly("job 2");
    pass(Duration.ofHours(2));
    assertThat(alerts()).extracting(Alert::getUnit).containsExactly("job 2", "job 1");
  }

  private void publish(int revision, String policy) throws Exception {
    String site = LIVE.replace("\"live\"", "\"live\"" + policy);
    Published published = new Published("lab", revision, site);
    byte[] message = WireCodec.of(Published.class).encode(published);
    harness.processBroadcastElement(new KafkaMessage(Topics.SITE, 0, revision, 0, message), 0);
  }

  @Test
  void aMuteHoldsUntilItEnds() throws Exception {
    wish("mute", "all", NOON.plus(Duration.ofHours(1)));
    send(result("1", 1, "small_writes"));
    pass(Duration.ofMinutes(1));
    assertThat(alerts()).isEmpty();
    wish("mute", "all", NOON.minus(Duration.ofHours(1)));
    send(result("2", 1, "small_writes"));
    pass(Duration.ofMinutes(1));
    assertThat(alerts()).hasSize(1);
  }

  private void wish(String kind, String subject, Instant until) throws Exception {
    Control control =
        new Control("lab", "ada", kind, subject, until.toEpochMilli() * 1000, null, "", "ada", 0L);
    harness.processElement(DeskInput.of("lab", "ada", Wish.of(control), 0), 0);
  }
}
