package org.weir.alerts;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.weir.alerts.policy.Policy;

/** What messages a user gets, and when; by hand. */
class DeskTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration DAY = Duration.ofDays(1);

  @Test
  void aFindingHasOneMessageWhateverBecomesOfTheJob() {
    DeskAtWork desk = new DeskAtWork();
    desk.take(desk.job("1", "ior", "small_writes")).pass(MINUTE);
    desk.take(desk.job("1", 2, "ior", "small_writes", "rank0_io")).pass(DAY);
    assertThat(desk.messages()).containsExactly("finding job 1");
  }

  @Test
  void aFindingThatIsRetractedBeforeItsMessageHasNone() {
    DeskAtWork desk = new DeskAtWork();
    desk.take(desk.job("1", "ior", "small_writes"));
    desk.take(desk.job("1", 2, "ior")).pass(DAY);
    assertThat(desk.messages()).isEmpty();
    assertThat(desk.held()).isEmpty();
  }

  @Test
  void whatIsRetractedAfterItsMessageIsSaidInTheNext() {
    DeskAtWork desk = new DeskAtWork();
    desk.take(desk.job("1", "ior", "small_writes")).pass(MINUTE);
    desk.take(desk.job("1", 2, "ior")).pass(DAY.multipliedBy(8));
    assertThat(desk.memory.cases())
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.retracted).containsExactly("1");
              assertThat(it.runs).isZero();
              assertThat(it.lostMicroNodeHours).isZero();
            });
    desk.take(desk.job("2", "ior", "small_writes")).pass(MINUTE);
    assertThat(desk.messages()).hasSize(2).last().asString().startsWith("reminder ");
    assertThat(desk.memory.cases())
        .singleElement()
        .satisfies(it -> assertThat(it.retracted).isEmpty());
  }

  @Test
  void theTasksOfAnArrayAreOneMessage() {
    DeskAtWork desk = new DeskAtWork();
    for (int task = 0; task < 100; task++) {
      JobFacts job = desk.job("7_" + task, "ior", "small_writes");
      job.unit = "array lab 7";
      desk.take(job).pass(Duration.ofSeconds(1));
    }
    desk.pass(DAY);
    assertThat(desk.messages()).containsExactly("finding array lab 7");
    assertThat(desk.memory.cases())
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.runs).isEqualTo(100);
              assertThat(it.nodeHoursLost()).isEqualTo(800);
            });
  }

  @Test
  void anOpenCaseIsNamedAgainNoSoonerThanAfterAWeek() {
    DeskAtWork desk = new DeskAtWork();
    for (int day = 0; day < 15; day++) {
      desk.take(desk.job("job" + day, "ior", "small_writes")).pass(DAY);
    }
    assertThat(desk.messages())
        .containsExactly("finding job job0", "reminder job job7", "reminder job job14");
  }

  @Test
  void moreMessagesThanADayTakesWaitForTheDigestOfTheNextMorning() {
    DeskAtWork desk = new DeskAtWork();
    for (int program = 0; program < 10; program++) {
      desk.take(desk.job("job" + program, "program" + program, "small_writes")).pass(MINUTE);
    }
    assertThat(desk.messages()).hasSize(3);
    assertThat(desk.held()).hasSize(7).allMatch(held -> held.endsWith(": limit"));
    desk.pass(DAY);
    assertThat(desk.messages()).hasSize(4).last().isEqualTo("digest lab 2026-05-05");
    assertThat(desk.lastMessage().cases()).hasSize(7);
  }

  @Test
  void aChainOfJobsIsOneMessage() {
    DeskAtWork desk = new DeskAtWork();
    for (int link = 0; link < 6; link++) {
      desk.take(desk.job("link" + link, "climate", "small_writes")).pass(DAY);
    }
    assertThat(desk.messages()).containsExactly("finding job link0");
  }

  @Test
  void threeLaterRunsWithoutTheCauseCloseTheCaseAndTheNextOpensIt() {
    DeskAtWork desk = new DeskAtWork();
    desk.take(desk.job("1", "ior", "small_writes")).pass(MINUTE);
    desk.take(desk.job("2", "ior")).pass(MINUTE).take(desk.job("3", "ior")).pass(MINUTE);
    assertThat(desk.messages()).hasSize(1);
    desk.take(desk.job("4", "ior")).pass(MINUTE);
    assertThat(desk.messages()).hasSize(2).last().asString().startsWith("fixed ");
    desk.take(desk.job("5", "ior")).pass(DAY);
    assertThat(desk.messages()).hasSize(2);
    desk.take(desk.job("6", "ior", "small_writes")).pass(MINUTE);
    assertThat(desk.messages()).hasSize(3).last().isEqualTo("finding job 6");
  }

  @Test
  void runsThatCannotShowTheCauseDoNotCloseACase() {
    DeskAtWork desk = new DeskAtWork();
    desk.take(desk.job("1", "ior", "small_writes")).pass(MINUTE);
    for (int n = 2; n < 12; n++) {
      JobFacts job = desk.job(Integer.toString(n), "ior");
      RunOfProgram run = job.runs.get(0);
      switch (n % 3) {
        case 0 -> run.unknowable = List.of("small_writes");
        case 1 -> run.complete = false;
        default -> run.siteBytes = 1e6;
      }
      desk.take(job).pass(MINUTE);
    }
    assertThat(desk.messages()).containsExactly("finding job 1");
  }

  @Test
  void nothingIsSentOfWhatTheStorageDidOrOfWhatIsNotCertainlyTheUsers() {
    DeskAtWork desk = new DeskAtWork();
    JobFacts storage = desk.job("1", "a", "device_contention");
    storage.runs.get(0).verdict = "storage";
    JobFacts foreign = desk.job("2", "b", "small_writes");
    foreign.runs.get(0).ownerCheck = "trusted_archive";
    JobFacts unsettled = desk.job("3", "c", "small_writes");
    unsettled.settled = false;
    JobFacts filled = desk.job("4", "d", "small_writes");
    filled.live = false;
    JobFacts old = desk.job("5", "e", "small_writes");
    old.endTime -= Duration.ofHours(7).toMillis() * 1000;
    JobFacts small = desk.job("6", "f", "small_writes");
    small.runs.get(0).nodeHoursLost = 0.1;
    for (JobFacts job : List.of(storage, foreign, unsettled, filled, old, small)) {
      desk.take(job);
    }
    desk.pass(MINUTE);
    assertThat(desk.messages()).isEmpty();
    assertThat(desk.held()).containsExactly("job 1: storage", "job 6: below_thresholds");
  }

  @Test
  void whatTheStorageSlowedIsNoPartOfAMessage() {
    DeskAtWork desk = new DeskAtWork();
    JobFacts job = desk.job("1", "ior", "small_writes");
    RunOfProgram slowed = desk.run("slowed", "vasp", "rank0_io");
    slowed.verdict = "storage";
    slowed.nodeHoursLost = 100.0;
    job.runs = List.of(job.runs.get(0), slowed);
    desk.take(job).pass(MINUTE);
    Outcome.Message message = desk.lastMessage();
    assertThat(message.nodeHoursLost()).isEqualTo(8);
    assertThat(message.cases()).extracting(it -> it.getRuleId()).containsExactly("small_writes");
    JobFacts hardlyItsOwn = desk.job("2", "other", "small_writes");
    RunOfProgram own = hardlyItsOwn.runs.get(0);
    own.nodeHoursLost = 0.1;
    hardlyItsOwn.runs = List.of(own, slowed);
    desk.take(hardlyItsOwn).pass(MINUTE);
    assertThat(desk.held()).containsExactly("job 2: below_thresholds");
  }

  @Test
  void aCaseIsFixedThoughManySmallRunsCameBetween() {
    DeskAtWork desk = new DeskAtWork();
    desk.take(desk.job("slow", "ior", "small_writes")).pass(MINUTE);
    for (int n = 0; n < 100; n++) {
      JobFacts job = desk.job("small" + n, "ior");
      job.runs.get(0).siteBytes = 1e6;
      desk.take(job).pass(MINUTE);
    }
    for (int n = 0; n < 3; n++) {
      desk.take(desk.job("clean" + n, "ior")).pass(MINUTE);
    }
    assertThat(desk.messages()).hasSize(2).last().asString().startsWith("fixed ");
  }

  @Test
  void aMessageLivesThroughQuietWeeksThatAreLongerThanStateIsKept() {
    Set<LocalDate> holidays =
        Set.copyOf(LocalDate.of(2026, 5, 4).datesUntil(LocalDate.of(2026, 6, 4)).toList());
    Policy.QuietHours quiet =
        new Policy.QuietHours(ZoneId.of("UTC"), LocalTime.MIN, LocalTime.MIN, false, holidays);
    DeskAtWork desk = new DeskAtWork(DeskAtWork.policy(quiet, 3, Policy.Digest.DAILY));
    desk.take(desk.job("1", "ior", "small_writes"));
    for (int day = 0; day < 30; day++) {
      UnitFacts waits = desk.memory.due().iterator().next();
      assertThat(Instant.ofEpochMilli(waits.dueAt)).isBeforeOrEqualTo(desk.now.plus(DAY));
      desk.pass(DAY);
    }
    assertThat(desk.messages()).isEmpty();
    desk.pass(DAY);
    assertThat(desk.messages()).containsExactly("finding job 1");
  }

  @Test
  void noDigestIsSentByASiteThatWantsNoneAnyMore() {
    DeskAtWork desk =
        new DeskAtWork(DeskAtWork.policy(DeskAtWork.NEVER_QUIET, 0, Policy.Digest.DAILY));
    desk.take(desk.job("1", "ior", "small_writes")).pass(MINUTE);
    desk.follow(DeskAtWork.policy(DeskAtWork.NEVER_QUIET, 0, Policy.Digest.NEVER));
    desk.pass(DAY).forget().pass(DAY);
    assertThat(desk.messages()).isEmpty();
  }

  @Test
  void whatAShadowCountedDoesNotLimitTheFirstDayOfMessages() {
    DeskAtWork desk =
        new DeskAtWork(
            DeskAtWork.policy(Policy.Mode.SHADOW, DeskAtWork.NEVER_QUIET, 1, Policy.Digest.DAILY));
    desk.take(desk.job("1", "ior", "small_writes")).pass(MINUTE);
    desk.follow(DeskAtWork.policy(DeskAtWork.NEVER_QUIET, 1, Policy.Digest.DAILY));
    desk.take(desk.job("2", "ior", "small_writes")).pass(MINUTE);
    desk.forget().take(desk.job("3", "other", "small_writes")).pass(MINUTE);
    assertThat(desk.messages()).containsExactly("finding job 1", "finding job 2");
    assertThat(desk.held()).containsExactly("job 3: limit");
  }

  @Test
  void aCaseThatWasForgottenAfterItsTimeHasANewerRow() {
    DeskAtWork desk = new DeskAtWork();
    desk.take(desk.job("1", "ior", "small_writes")).pass(MINUTE);
    long before = desk.memory.cases().iterator().next().changes;
    desk.memory = new HeapMemory();
    desk.follow(DeskAtWork.policy(DeskAtWork.NEVER_QUIET, 3, Policy.Digest.DAILY));
    desk.pass(DAY.multipliedBy(181)).take(desk.job("2", "ior", "small_writes"));
    assertThat(desk.memory.cases().iterator().next().changes).isGreaterThan(before);
  }

  @Test
  void afterALossACaseIsClosedByThreeLaterRuns() {
    DeskAtWork desk = new DeskAtWork();
    desk.take(desk.job("1", "ior", "small_writes")).pass(MINUTE).forget();
    for (String uid : List.of("2", "3", "4")) {
      assertThat(desk.messages()).hasSize(1);
      desk.take(desk.job(uid, "ior")).pass(MINUTE);
    }
    assertThat(desk.messages()).hasSize(2).last().asString().startsWith("fixed ");
  }

  @Test
  void whatWaitedWhenStateWasLostHasItsMessageOnceItIsReadAgain() {
    DeskAtWork desk = new DeskAtWork();
    JobFacts told = desk.job("1", "ior", "small_writes");
    desk.take(told).pass(MINUTE);
    JobFacts waits = desk.job("2", "vasp", "small_writes");
    desk.take(waits).forget().take(told).take(waits).pass(DAY);
    assertThat(desk.messages()).containsExactly("finding job 1", "finding job 2");
    assertThat(desk.memory.cases()).allSatisfy(it -> assertThat(it.runs).isEqualTo(1));
  }

  @Test
  void inQuietHoursMessagesWaitForTheirEnd() {
    ZoneId berlin = ZoneId.of("Europe/Berlin");
    Policy.QuietHours quiet =
        new Policy.QuietHours(
            berlin,
            LocalTime.of(20, 0),
            LocalTime.of(7, 30),
            true,
            Set.of(LocalDate.of(2026, 5, 1)));
    assertThat(quiet.next(Instant.parse("2026-04-30T19:00:00Z"))) // a Thursday, 21:00
        .isEqualTo(Instant.parse("2026-05-04T05:30:00Z")); // over a holiday and a weekend
    assertThat(quiet.next(DeskAtWork.NOON)).isEqualTo(DeskAtWork.NOON);
    DeskAtWork desk = new DeskAtWork(DeskAtWork.policy(quiet, 3, Policy.Digest.NEVER));
    desk.now = Instant.parse("2026-05-05T22:00:00Z");
    desk.take(desk.job("1", "ior", "small_writes")).pass(Duration.ofHours(7));
    assertThat(desk.messages()).isEmpty();
    desk.pass(MINUTE.multipliedBy(31));
    assertThat(desk.messages()).containsExactly("finding job 1");
  }

  @Test
  void whatIsMutedIsCountedAndNotSent() {
    DeskAtWork desk = new DeskAtWork();
    desk.mute("small_writes", DAY);
    desk.take(desk.job("1", "ior", "small_writes")).pass(MINUTE);
    assertThat(desk.held()).containsExactly("job 1: muted");
    desk.take(desk.job("2", "ior", "small_writes", "rank0_io")).pass(DAY);
    assertThat(desk.messages()).containsExactly("finding job 2");
    desk.take(desk.job("3", "other", "small_writes")).pass(MINUTE);
    assertThat(desk.messages()).hasSize(2);
  }

  @Test
  void whoWantsNoMessagesGetsNoneUntilTheyDo() {
    DeskAtWork desk = new DeskAtWork();
    desk.opt(false);
    desk.take(desk.job("1", "ior", "small_writes")).pass(MINUTE);
    assertThat(desk.held()).containsExactly("job 1: unwanted");
    desk.opt(true);
    desk.take(desk.job("2", "ior", "small_writes")).pass(MINUTE);
    assertThat(desk.messages()).containsExactly("finding job 2");
  }

  @Test
  void whatNobodySawInShadowIsNewWhenMessagesLeave() {
    DeskAtWork desk =
        new DeskAtWork(
            DeskAtWork.policy(Policy.Mode.SHADOW, DeskAtWork.NEVER_QUIET, 3, Policy.Digest.DAILY));
    desk.take(desk.job("1", "ior", "small_writes")).pass(MINUTE);
    desk.take(desk.job("2", "ior", "small_writes")).pass(MINUTE);
    assertThat(desk.messages()).containsExactly("finding job 1");
    desk.follow(DeskAtWork.policy(DeskAtWork.NEVER_QUIET, 3, Policy.Digest.DAILY));
    desk.take(desk.job("3", "ior", "small_writes")).pass(MINUTE);
    assertThat(desk.messages()).containsExactly("finding job 1", "finding job 3");
    assertThat(desk.memory.cases())
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.timesSent).isEqualTo(1);
              assertThat(it.runs).isEqualTo(3);
            });
  }

  @Test
  void whatExplainsARunIsKeptUntilItsMessageAndNoLonger() {
    DeskAtWork desk = new DeskAtWork();
    JobFacts job = desk.job("1", "ior", "small_writes");
    job.reports = Map.of("log-of-1", "{}");
    desk.take(job);
    assertThat(desk.memory.job("1").reports).hasSize(1);
    desk.pass(MINUTE);
    assertThat(desk.messages()).hasSize(1);
    assertThat(desk.memory.job("1").reports).isEmpty();
    JobFacts clean = desk.job("2", "ior");
    clean.reports = Map.of("log-of-2", "{}");
    desk.take(clean);
    assertThat(desk.memory.job("2").reports).isEmpty();
  }
}
