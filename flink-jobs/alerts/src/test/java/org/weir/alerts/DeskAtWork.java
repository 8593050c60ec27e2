package org.weir.alerts;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.weir.alerts.policy.Policy;
import org.weir.analysis.judge.Severity;
import org.weir.wire.CaseFact;

/** Runs a desk on a clock of the test's own, and keeps what it decides. */
public final class DeskAtWork {

  public static final Instant NOON = Instant.parse("2026-05-04T12:00:00Z"); // a Monday
  static final Policy.QuietHours NEVER_QUIET =
      new Policy.QuietHours(ZoneOffset.UTC, LocalTime.MIN, LocalTime.MIN, false, Set.of());

  HeapMemory memory = new HeapMemory();
  final List<Outcome> outcomes = new ArrayList<>();

  /** A message, and when it was decided. */
  record Sent(Outcome.Message message, Instant time) {}

  /** In order. */
  final List<Sent> sent = new ArrayList<>();

  private final Map<String, JobFacts> newest = new TreeMap<>();
  private final Map<String, CaseFacts> rows = new TreeMap<>();
  private final List<PastOfUser.Decision> decisions = new ArrayList<>();
  private Policy policy;
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
    this.policy = policy;
    desk = new Desk("lab", "ada", policy, memory);
    return this;
  }

  /** Loses all of its memory but for what the rows of cases, results and decisions say. */
  DeskAtWork forget() {
    List<JobFacts> found =
        newest.values().stream().map(job -> job.only(run -> !run.found.isEmpty())).toList();
    memory = new HeapMemory();
    new PastOfUser(
            rows.values().stream().map(DeskAtWork::row).toList(),
            found.stream().filter(job -> !job.runs.isEmpty()).map(DeskAtWork::row).toList(),
            decisions)
        .restore(memory, policy, now);
    return follow(policy);
  }

  /** What a row of a case has. */
  private static CaseFacts row(CaseFacts it) {
    CaseFacts row = new CaseFacts();
    row.id = it.id;
    row.program = it.program;
    row.rule = it.rule;
    row.title = it.title;
    row.runs = it.runs;
    row.lostMicroNodeHours = it.lostMicroNodeHours;
    row.sentAt = it.sentAt;
    row.sentIn = it.sentIn;
    row.timesSent = it.timesSent;
    row.fixed = it.fixed;
    row.retracted = it.retracted;
    row.changes = it.changes;
    return row;
  }

  /** What the rows of a result have: not of which array it is. */
  private static JobFacts row(JobFacts job) {
    JobFacts row = new JobFacts();
    row.jobUid = job.jobUid;
    row.unit = "job " + job.jobUid;
    row.version = job.version;
    row.runs = job.runs;
    return row;
  }

  private void keep(List<Outcome> decided) {
    outcomes.addAll(decided);
    for (Outcome outcome : decided) {
      if (outcome instanceof Outcome.Changed changed) {
        rows.put(changed.it().id, row(changed.it()));
      } else if (outcome instanceof Outcome.Message message) {
        sent.add(new Sent(message, now));
        List<String> cases = message.cases().stream().map(CaseFact::getCase$).toList();
        keep(message.kind(), message.unit(), null, cases);
      } else if (outcome instanceof Outcome.Held held) {
        keep("finding", held.unit(), held.reason(), held.cases());
      }
    }
  }

  private void keep(String kind, String unit, Outcome.Reason held, List<String> cases) {
    decisions.add(new PastOfUser.Decision(kind, unit, policy.mode(), held, cases, now));
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
    job.name = "";
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
    found.severity = Severity.WARNING;
    found.title = "Title of " + rule;
    return found;
  }

  /** Gives the desk a result that was published now. */
  DeskAtWork take(JobFacts job) {
    newest.merge(job.jobUid, job, (a, b) -> a.version < b.version ? b : a);
    keep(desk.take(job, now.toEpochMilli(), now));
    return this;
  }

  /** Lets time pass; the desk decides whatever is due in it, when it is. */
  DeskAtWork pass(Duration time) {
    Instant end = now.plus(time);
    for (Long next = desk.nextDue();
        next != null && next <= end.toEpochMilli();
        next = desk.nextDue()) {
      now = Instant.ofEpochMilli(Math.max(next, now.toEpochMilli()));
      keep(desk.decide(now));
    }
    now = end;
    return this;
  }

  Stream<Outcome.Message> sent() {
    return sent.stream().map(Sent::message);
  }

  /** Kind and unit of each message, in order. */
  List<String> messages() {
    return sent().map(message -> message.kind() + " " + message.unit()).toList();
  }

  Outcome.Message lastMessage() {
    return sent().reduce((first, second) -> second).orElseThrow();
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
