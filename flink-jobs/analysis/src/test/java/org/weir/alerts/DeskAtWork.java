package org.weir.alerts;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.weir.analysis.Severity;

/** Runs a desk on a clock of the test's own, and keeps what it decides. */
final class DeskAtWork {

  static final Instant NOON = Instant.parse("2026-05-04T12:00:00Z"); // a Monday
  static final Policy.QuietHours NEVER_QUIET =
      new Policy.QuietHours(ZoneOffset.UTC, LocalTime.MIN, LocalTime.MIN, false, Set.of());

  final HeapMemory memory = new HeapMemory();
  final List<Outcome> outcomes = new ArrayList<>();
  private Desk desk;
  Instant now = NOON;

  DeskAtWork() {
    this(policy(NEVER_QUIET, 3, Policy.Digest.DAILY));
  }

  DeskAtWork(Policy policy) {
    follow(policy);
  }

  /** Has a desk go on with the same memory under a policy. */
  DeskAtWork follow(Policy policy) {
    desk = new Desk("lab", "ada", policy, memory);
    return this;
  }

  DeskAtWork mute(String subject, Duration time) {
    desk.take(new Wish(Wish.Kind.MUTE, subject, now.plus(time).toEpochMilli(), false), now);
    return this;
  }

  DeskAtWork opt(boolean wanted) {
    desk.take(new Wish(Wish.Kind.OPT, UserFacts.ALL, 0, wanted), now);
    return this;
  }

  static Policy policy(Policy.QuietHours quiet, int perDay, Policy.Digest digest) {
    return policy(Policy.Mode.LIVE, quiet, perDay, digest);
  }

  static Policy policy(
      Policy.Mode mode, Policy.QuietHours quiet, int perDay, Policy.Digest digest) {
    return new Policy(
        mode,
        Severity.WARNING,
        1,
        0.1,
        perDay,
        Duration.ofSeconds(15),
        Duration.ofHours(6),
        Duration.ofDays(7),
        3,
        false,
        false,
        digest,
        quiet,
        Policy.Exclusions.NONE);
  }

  /** A settled job that ends now, of one run of a program, which has these findings. */
  JobFacts job(String uid, String program, String... rules) {
    return job(uid, 1, program, rules);
  }

  JobFacts job(String uid, long version, String program, String... rules) {
    JobFacts job = new JobFacts();
    job.version = version;
    job.unit = "job " + uid;
    job.jobUid = uid;
    job.displayId = uid;
    job.settled = true;
    job.live = true;
    job.endTime = now.toEpochMilli() * 1000;
    job.runs = List.of(run("log of " + uid, program, rules));
    return job;
  }

  RunOfProgram run(String logId, String program, String... rules) {
    RunOfProgram run = new RunOfProgram();
    run.logId = logId.replace(' ', '-');
    run.program = program;
    run.endTime = now.toEpochMilli() * 1000;
    run.ownerCheck = "strict";
    run.complete = true;
    run.runTimeSeconds = 3600.0;
    run.ioTimeSeconds = 1900.0;
    run.siteBytes = 1e10;
    run.timeLostSeconds = rules.length > 0 ? 1800.0 : 0.0;
    run.nodeHoursLost = rules.length > 0 ? 8.0 : 0.0;
    run.verdict = rules.length > 0 ? "application" : "not_slow";
    run.found = Arrays.stream(rules).map(DeskAtWork::found).toList();
    return run;
  }

  private static Found found(String rule) {
    Found found = new Found();
    found.rule = rule;
    found.severity = "warning";
    found.title = "Title of " + rule;
    return found;
  }

  /** Gives the desk a result that was published now. */
  DeskAtWork take(JobFacts job) {
    outcomes.addAll(desk.take(job, now.toEpochMilli(), now));
    return this;
  }

  /** Lets time pass; the desk decides whatever is due in it, when it is. */
  DeskAtWork pass(Duration time) {
    Instant end = now.plus(time);
    for (Long next = desk.nextDue();
        next != null && next <= end.toEpochMilli();
        next = desk.nextDue()) {
      now = Instant.ofEpochMilli(Math.max(next, now.toEpochMilli()));
      outcomes.addAll(desk.decide(now));
    }
    now = end;
    return this;
  }

  /** Kind and unit of each message, in order. */
  List<String> messages() {
    return outcomes.stream()
        .filter(Outcome.Message.class::isInstance)
        .map(Outcome.Message.class::cast)
        .map(message -> message.kind() + " " + message.unit())
        .toList();
  }

  /** Unit and reason of what was held back, in order. */
  List<String> held() {
    return outcomes.stream()
        .filter(Outcome.Held.class::isInstance)
        .map(Outcome.Held.class::cast)
        .map(held -> held.unit() + ": " + held.reason().text())
        .toList();
  }
}
