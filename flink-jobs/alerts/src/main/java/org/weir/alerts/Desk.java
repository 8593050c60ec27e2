package org.weir.alerts;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.weir.alerts.Outcome.Changed;
import org.weir.alerts.Outcome.Held;
import org.weir.alerts.Outcome.Message;
import org.weir.alerts.Outcome.Reason;
import org.weir.alerts.policy.Policy;
import org.weir.wire.AlertReport;
import org.weir.wire.CaseFact;
import org.weir.wire.Version;

/**
 * Keeps the cases of one user of one cluster, and decides which messages the user gets.
 *
 * <p>A case counts over the newest results. A message is decided when its unit is due, a short
 * while after the first settled result with a finding, by what is known then: so a finding that was
 * retracted meanwhile is not in it, and the tasks of an array are one message. A unit has one
 * message at most.
 */
public final class Desk {

  private static final String FIXED = "fixed";
  private static final int MOST_REPORTS = 3;
  private static final Duration LONGEST_WAIT = Duration.ofDays(1);

  private final String cluster;
  private final String user;
  private final Policy policy;
  private final DeskMemory memory;

  /**
   * UTC milliseconds of the first of those units that were put on the calendar since it was made;
   * null if none was.
   */
  private @Nullable Long scheduled;

  /**
   * A desk.
   *
   * @param user the scheduler's name of the jobs' user
   */
  public Desk(String cluster, String user, Policy policy, DeskMemory memory) {
    this.cluster = cluster;
    this.user = user;
    this.policy = policy;
    this.memory = memory;
  }

  /**
   * Takes in a job's result; an older version, or the same again, changes nothing.
   *
   * @param publishedAt of the result, UTC milliseconds; 0 if unknown
   */
  public List<Outcome> take(JobFacts job, long publishedAt, Instant now) {
    JobFacts before = memory.job(job.jobUid);
    if (before != null && !Version.isAbove(job.version, before.version)) {
      return List.of();
    }
    Map<String, CaseFacts> touched = new TreeMap<>();
    if (before != null) {
      count(before, -1, touched, now);
    }
    count(job, 1, touched, now);
    remember(before, job);
    leaveUnit(before, job);
    UnitFacts unit = memory.unit(job.unit);
    unit.add(job.jobUid);
    if (unit.wasSent(policy.mode())) {
      noteRetractions(before, job, touched);
    } else if (isReason(job, now)) {
      unit.settledAt = Math.max(unit.settledAt, publishedAt);
      schedule(unit, now);
    }
    memory.put(unit);
    memory.put(unit.dueAt == 0 ? job.withoutReports() : job);
    touched.values().forEach(memory::put);
    scheduleFixed(job, now);
    return List.copyOf(touched.values().stream().map(Changed::new).toList());
  }

  /** Takes in what the user, or staff for them, wants from now on. */
  public void take(Wish wish, Instant now) {
    UserFacts facts = memory.user();
    wish.applyTo(facts, now);
    memory.put(facts);
  }

  private void count(JobFacts job, int sign, Map<String, CaseFacts> touched, Instant now) {
    for (RunOfProgram run : job.runs) {
      for (Found found : run.found) {
        CaseFacts it =
            touched.computeIfAbsent(id(run, found), id -> changing(id, run.program, found, now));
        it.title = sign > 0 ? found.title : it.title;
        it.runs += sign;
        it.lostMicroNodeHours += sign * Math.round(1e6 * run.lost());
      }
    }
  }

  private String id(RunOfProgram run, Found found) {
    return CaseFacts.id(cluster, user, run.program, found.rule);
  }

  private CaseFacts changing(String id, String program, Found found, Instant now) {
    CaseFacts known = memory.caseOf(id);
    CaseFacts it =
        known == null ? CaseFacts.of(cluster, user, program, found, now.toEpochMilli()) : known;
    it.changes++;
    return it;
  }

  private void remember(@Nullable JobFacts before, JobFacts job) {
    Map<String, ProgramFacts> programs = new LinkedHashMap<>();
    if (before != null) {
      before.runs.forEach(run -> program(run, programs).remove(run));
    }
    job.runs.forEach(run -> program(run, programs).add(run));
    programs.values().forEach(memory::put);
  }

  private ProgramFacts program(RunOfProgram run, Map<String, ProgramFacts> programs) {
    return programs.computeIfAbsent(run.program, memory::program);
  }

  /** A correction can say that a job is a task of an array. */
  private void leaveUnit(@Nullable JobFacts before, JobFacts job) {
    if (before != null && !before.unit.equals(job.unit)) {
      UnitFacts unit = memory.unit(before.unit);
      unit.jobs.remove(job.jobUid);
      memory.put(unit);
    }
  }

  /** What a message named and is not found any more is said in the next one. */
  private void noteRetractions(
      @Nullable JobFacts before, JobFacts job, Map<String, CaseFacts> touched) {
    if (before == null) {
      return;
    }
    TreeSet<String> gone = new TreeSet<>(cases(before));
    gone.removeAll(cases(job));
    for (String id : gone) {
      CaseFacts it = requireNonNull(touched.get(id), id);
      if (it.wasSent(policy.mode())) {
        it.retract(job.displayId);
      }
    }
  }

  private TreeSet<String> cases(JobFacts job) {
    TreeSet<String> ids = new TreeSet<>();
    job.runs.forEach(run -> run.found.forEach(found -> ids.add(id(run, found))));
    return ids;
  }

  private void schedule(UnitFacts unit, Instant now) {
    if (unit.dueAt == 0) {
      unit.dueAt = due(policy.quiet().next(now.plus(policy.gather())), now);
      scheduled = scheduled == null ? unit.dueAt : Math.min(scheduled, unit.dueAt);
    }
  }

  /**
   * Beyond a day it is looked at daily, so that state with a time to live lives through holidays.
   */
  private static long due(Instant next, Instant now) {
    Instant latest = now.plus(LONGEST_WAIT);
    return (next.isAfter(latest) ? latest : next).toEpochMilli();
  }

  private boolean isReason(JobFacts job, Instant now) {
    return isCurrent(job, now) && job.runs.stream().anyMatch(this::isReportable);
  }

  /** Settled, seen live, and not long ago. */
  private boolean isCurrent(JobFacts job, Instant now) {
    return job.settled
        && job.live
        && job.endTime != null
        && !Instant.ofEpochMilli(job.endTime / 1000).plus(policy.newest()).isBefore(now);
  }

  private boolean isReportable(RunOfProgram run) {
    return (run.ownerCheck.equals("strict") || policy.trustArchive()) && !run.found.isEmpty();
  }

  private void scheduleFixed(JobFacts job, Instant now) {
    if (!isCurrent(job, now)) {
      return;
    }
    TreeSet<String> names = new TreeSet<>();
    job.runs.forEach(run -> names.add(run.program));
    for (String name : names) {
      ProgramFacts program = memory.program(name);
      for (String rule : program.rules()) {
        CaseFacts it = memory.caseOf(CaseFacts.id(cluster, user, name, rule));
        RunOfProgram closing = program.fixedBy(rule, policy.cleanRuns());
        if (it == null || !it.isOpen(policy.mode()) || closing == null) {
          continue;
        }
        UnitFacts unit = memory.unit(FIXED + " " + it.id + " " + closing.logId);
        if (!unit.wasSent(policy.mode())) {
          schedule(unit, now);
          memory.put(unit);
        }
      }
    }
  }

  /**
   * Returns when the first unit is due that was scheduled since this desk was made, UTC
   * milliseconds; null if none was. Unlike {@link #nextDue} it looks at none of thousands that
   * wait.
   */
  public @Nullable Long firstScheduled() {
    return scheduled;
  }

  /** Returns when {@link #decide} has something to do, UTC milliseconds; null if nothing waits. */
  public @Nullable Long nextDue() {
    Long next = memory.due().stream().map(unit -> unit.dueAt).min(Long::compare).orElse(null);
    long digest = memory.user().digestAt;
    return digest == 0 || next != null && next <= digest ? next : Long.valueOf(digest);
  }

  /** Decides whatever is due; in quiet hours, after an outage, it is due when they end. */
  public List<Outcome> decide(Instant now) {
    List<UnitFacts> due =
        memory.due().stream()
            .filter(unit -> unit.dueAt <= now.toEpochMilli())
            .sorted(Comparator.comparing(unit -> unit.unit))
            .toList();
    Instant next = policy.quiet().next(now);
    if (next.isAfter(now)) {
      putOff(due, next, now);
      return List.of();
    }
    List<Outcome> outcomes = new ArrayList<>();
    for (UnitFacts unit : due) {
      unit.dueAt = 0;
      if (unit.unit.startsWith(FIXED)) {
        decideFixed(unit, now, outcomes);
      } else {
        decideFinding(unit, now, outcomes);
      }
      memory.put(unit);
    }
    decideDigest(now, outcomes);
    return outcomes;
  }

  private void putOff(List<UnitFacts> due, Instant until, Instant now) {
    for (UnitFacts unit : due) {
      unit.dueAt = due(until, now);
      memory.put(unit);
      unit.jobs.stream().map(memory::job).filter(Objects::nonNull).forEach(memory::put);
    }
    UserFacts facts = memory.user();
    if (facts.digestAt != 0) {
      facts.digestAt = Math.max(facts.digestAt, until.toEpochMilli());
      memory.put(facts);
    }
  }

  private void decideFinding(UnitFacts unit, Instant now, List<Outcome> outcomes) {
    List<JobFacts> jobs = jobsOfMessage(unit);
    if (!jobs.isEmpty()) {
      decideFinding(unit, jobs, now, outcomes);
    }
    unit.jobs.stream()
        .map(memory::job)
        .filter(job -> job != null && !job.reports.isEmpty())
        .forEach(job -> memory.put(job.withoutReports()));
  }

  /**
   * Returns the jobs of a unit with the runs that its message is about, those that lost most first.
   * Runs that the storage slowed are left out, unless it slowed all of them: then they are
   * returned, and the message about them is held back.
   */
  private List<JobFacts> jobsOfMessage(UnitFacts unit) {
    List<JobFacts> reportable =
        unit.jobs.stream()
            .map(memory::job)
            .filter(job -> job != null && job.settled && job.live)
            .toList();
    reportable = only(reportable, this::isReportable);
    List<JobFacts> own = only(reportable, run -> !run.isSlowedByStorage());
    return own.isEmpty() ? reportable : own;
  }

  private static List<JobFacts> only(List<JobFacts> jobs, Predicate<RunOfProgram> which) {
    return jobs.stream()
        .map(job -> job.only(which))
        .filter(job -> !job.runs.isEmpty())
        .sorted(Comparator.comparingDouble(JobFacts::lost).reversed().thenComparing(j -> j.jobUid))
        .toList();
  }

  private void decideFinding(
      UnitFacts unit, List<JobFacts> jobs, Instant now, List<Outcome> outcomes) {
    List<RunOfProgram> runs = jobs.stream().flatMap(job -> job.runs.stream()).toList();
    List<CaseFacts> cases = cases(runs);
    double lost = jobs.stream().mapToDouble(JobFacts::lost).sum();
    Gate gate = new Gate(user, policy, memory.user(), now);
    Reason held = gate.whyHeld(jobs, runs, cases);
    List<CaseFacts> named = cases.stream().filter(gate::mayBeNamed).toList();
    if (held != null) {
      List<String> ids = cases.stream().map(it -> it.id).toList();
      outcomes.add(new Held(unit.unit, held, ids, jobs.size(), lost));
      keepForDigest(named, held, now);
      return;
    }
    boolean isNew = named.stream().anyMatch(it -> !it.isOpen(policy.mode()));
    String kind = isNew ? "finding" : "reminder";
    List<CaseFact> facts = named.stream().map(it -> it.named(policy.mode(), null)).toList();
    Message message =
        new Message(kind, unit.unit, facts, jobs, reports(jobs), lost, unit.settledAt);
    send(message, named, now, outcomes);
    unit.send(policy.mode(), now.toEpochMilli());
  }

  /** Returns reports on the runs that lost most, each with a cause that none before it shows. */
  private List<AlertReport> reports(List<JobFacts> jobs) {
    TreeSet<String> shown = new TreeSet<>();
    List<AlertReport> reports = new ArrayList<>();
    for (JobFacts job : jobs) {
      for (RunOfProgram run : job.flagged()) {
        String report = job.reports.get(run.logId);
        List<String> causes = run.found.stream().map(found -> id(run, found)).toList();
        if (report != null && reports.size() < MOST_REPORTS && shown.addAll(causes)) {
          reports.add(new AlertReport(job.jobUid, run.logId, report));
        }
      }
    }
    return reports;
  }

  /** Those of the runs, what lost most in them first. */
  private List<CaseFacts> cases(List<RunOfProgram> runs) {
    Map<String, Double> lost = new TreeMap<>();
    for (RunOfProgram run : runs) {
      run.found.forEach(found -> lost.merge(id(run, found), run.lost(), Double::sum));
    }
    return lost.entrySet().stream()
        .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
        .map(entry -> memory.caseOf(entry.getKey()))
        .toList();
  }

  private void keepForDigest(List<CaseFacts> cases, Reason held, Instant now) {
    if (!held.isForDigest() || cases.isEmpty() || policy.digest() == Policy.Digest.NEVER) {
      return;
    }
    UserFacts facts = memory.user();
    cases.forEach(it -> facts.heldBack.put(it.id, held));
    if (facts.digestAt == 0) {
      facts.digestAt = policy.nextDigest(now).toEpochMilli();
    }
    memory.put(facts);
  }

  private void send(Message message, List<CaseFacts> cases, Instant now, List<Outcome> outcomes) {
    UserFacts facts = memory.user();
    facts.countMessage(policy.day(now).toEpochDay(), policy.mode());
    cases.forEach(it -> facts.heldBack.remove(it.id));
    memory.put(facts);
    outcomes.add(message);
    for (CaseFacts it : cases) {
      it.send(policy.mode(), now.toEpochMilli(), message.kind().equals(FIXED));
      memory.put(it);
      outcomes.add(new Changed(it));
    }
  }

  private void decideFixed(UnitFacts unit, Instant now, List<Outcome> outcomes) {
    String[] words = unit.unit.split(" ", 3);
    CaseFacts it = memory.caseOf(words[1]);
    if (it == null) {
      return;
    }
    RunOfProgram closing = memory.program(it.program).fixedBy(it.rule, policy.cleanRuns());
    if (closing == null || !closing.logId.equals(words[2]) || !it.isOpen(policy.mode())) {
      return;
    }
    if (!new Gate(user, policy, memory.user(), now).isOpenFor(it)) {
      return;
    }
    String about = it.id + " " + closing.logId;
    CaseFact fact = it.named(policy.mode(), null);
    Message message = new Message(FIXED, about, List.of(fact), List.of(), List.of(), 0, 0);
    send(message, List.of(it), now, outcomes);
    unit.send(policy.mode(), now.toEpochMilli());
  }

  private void decideDigest(Instant now, List<Outcome> outcomes) {
    UserFacts facts = memory.user();
    if (facts.digestAt == 0 || facts.digestAt > now.toEpochMilli()) {
      return;
    }
    Gate gate = new Gate(user, policy, facts, now);
    Map<String, Reason> heldBack = new TreeMap<>(facts.heldBack);
    List<CaseFacts> cases =
        heldBack.keySet().stream()
            .map(memory::caseOf)
            .filter(it -> it != null && it.runs > 0 && gate.isDue(it) && gate.isOpenFor(it))
            .sorted(
                Comparator.comparingLong((CaseFacts it) -> it.lostMicroNodeHours)
                    .reversed()
                    .thenComparing(it -> it.id))
            .toList();
    String unit = cluster + " " + policy.period(Instant.ofEpochMilli(facts.digestAt));
    facts.digestAt = 0;
    facts.heldBack.clear();
    memory.put(facts);
    if (!cases.isEmpty() && policy.digest() != Policy.Digest.NEVER) {
      List<CaseFact> named =
          cases.stream().map(it -> it.named(policy.mode(), heldBack.get(it.id))).toList();
      Message message = new Message("digest", unit, named, List.of(), List.of(), 0, 0);
      send(message, cases, now, outcomes);
    }
  }
}
