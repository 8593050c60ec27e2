package org.weir.alerts;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.weir.alerts.Outcome.Reason;
import org.weir.alerts.policy.Policy;
import org.weir.analysis.judge.Severity;

/** Says by the policy and the user's wishes whether a message may leave now. */
final class Gate {

  private final String user;
  private final Policy policy;
  private final UserFacts wishes;
  private final Instant now;

  Gate(String user, Policy policy, UserFacts wishes, Instant now) {
    this.user = user;
    this.policy = policy;
    this.wishes = wishes;
    this.now = now;
  }

  /**
   * Returns why there is no message about a unit; null if there is one.
   *
   * @param jobs of the unit, each with the runs alone that a message would be about
   * @param runs of these jobs, at least one
   * @param cases of these runs
   */
  @Nullable Reason whyHeld(List<JobFacts> jobs, List<RunOfProgram> runs, List<CaseFacts> cases) {
    if (!isWanted()) {
      return Reason.UNWANTED;
    } else if (isExcluded() || jobs.stream().allMatch(this::isExcluded)) {
      return Reason.EXCLUDED;
    } else if (!isWorthwhile(jobs, runs)) {
      return Reason.BELOW_THRESHOLDS;
    } else if (runs.stream().allMatch(RunOfProgram::isSlowedByStorage)) {
      return Reason.STORAGE;
    } else if (cases.stream().noneMatch(this::mayBeNamed)) {
      return Reason.MUTED;
    } else if (cases.stream().filter(this::mayBeNamed).noneMatch(this::isDue)) {
      return Reason.SENT_BEFORE;
    }
    return isWithinLimit() ? null : Reason.LIMIT;
  }

  /** Whether the user may get a message that is about cases alone. */
  boolean isOpenFor(CaseFacts it) {
    return isWanted() && !isExcluded() && mayBeNamed(it);
  }

  /** Whether neither the user nor the site wants silence about it. */
  boolean mayBeNamed(CaseFacts it) {
    return !wishes.isMuted(it, now.toEpochMilli()) && !isExcluded(it);
  }

  /** Whether it is new, or long enough ago that a message named it. */
  boolean isDue(CaseFacts it) {
    return !it.isOpen(policy.mode())
        || it.sentAt + policy.remind().toMillis() <= now.toEpochMilli();
  }

  private boolean isWanted() {
    return wishes.wanted == null ? !policy.optIn() : wishes.wanted;
  }

  private boolean isExcluded() {
    return policy.excluded().users().contains(user);
  }

  private boolean isExcluded(CaseFacts it) {
    return policy.excluded().programs().contains(it.program)
        || policy.excluded().rules().contains(it.rule);
  }

  private boolean isExcluded(JobFacts job) {
    return policy.excluded().accounts().contains(textOf(job.account))
        || policy.excluded().partitions().contains(textOf(job.partition));
  }

  private static String textOf(@Nullable String name) {
    return name == null ? "" : name;
  }

  private boolean isWorthwhile(List<JobFacts> jobs, List<RunOfProgram> runs) {
    Severity most =
        runs.stream()
            .flatMap(run -> run.found.stream())
            .map(found -> found.severity)
            .max(Comparator.naturalOrder())
            .orElse(Severity.INFO);
    double lost = jobs.stream().mapToDouble(JobFacts::lost).sum();
    double share = runs.stream().mapToDouble(RunOfProgram::lostShare).max().orElse(0);
    return most.compareTo(policy.leastSeverity()) >= 0
        && lost >= policy.leastNodeHours()
        && share >= policy.leastShare();
  }

  private boolean isWithinLimit() {
    return wishes.sentOn(policy.day(now).toEpochDay(), policy.mode()) < policy.perUserAndDay();
  }
}
