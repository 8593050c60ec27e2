package org.weir.alerts;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.weir.wire.FindingFact;
import org.weir.wire.RunFact;

/** Holds what a desk needs of a run of a user's program: what was found, and what is undecided. */
public final class RunOfProgram {

  public String logId;
  public String program;

  /** UTC microseconds. */
  public long endTime;

  /** strict: the owner of the log's file is the job's user. */
  public String ownerCheck;

  /** It came to its end, and all of its log was read. */
  public boolean complete;

  public @Nullable Double runTimeSeconds;
  public @Nullable Double ioTimeSeconds;
  public double siteBytes;
  public @Nullable Double timeLostSeconds;
  public @Nullable Double nodeHoursLost;

  /** application, storage, both, unknown or not_slow. */
  public String verdict;

  /** Findings whose evidence is exact, or a bound on the safe side. */
  public List<Found> found = List.of();

  /** Rules that its log cannot decide. */
  public List<String> unknowable = List.of();

  /** Leaves the fields to be set next, as Flink does when it reads one. */
  @SuppressWarnings("NullAway.Init")
  public RunOfProgram() {}

  static RunOfProgram of(RunFact run, List<FindingFact> findings) {
    RunOfProgram it = new RunOfProgram();
    it.logId = run.getLogId();
    it.program = run.getProgram();
    it.endTime = run.getEndTime();
    it.ownerCheck = run.getOwnerCheck();
    it.complete = run.getLogState().equals("complete");
    it.runTimeSeconds = run.getRunTimeSeconds();
    it.ioTimeSeconds = run.getIoTimeSeconds();
    it.siteBytes = run.getSiteBytes() == null ? 0 : run.getSiteBytes();
    it.timeLostSeconds = run.getTimeLostSeconds();
    it.nodeHoursLost = run.getNodeHoursLost();
    it.verdict = run.getVerdict();
    // A rule over a bounded feature holds only if its bound does.
    it.found =
        findings.stream()
            .filter(finding -> !finding.getEvidenceClass().equals("unknowable"))
            .map(Found::of)
            .toList();
    it.unknowable = List.copyOf(run.getUnknowable());
    return it;
  }

  boolean has(String rule) {
    return found.stream().anyMatch(each -> each.rule.equals(rule));
  }

  /** Whether the run shows that the cause is gone: it could have shown it, and did not. */
  boolean isClean(String rule) {
    return complete && !has(rule) && !unknowable.contains(rule);
  }

  boolean isSlowedByStorage() {
    return verdict.equals("storage");
  }

  /** 0 where it is unknown. */
  double lost() {
    return nodeHoursLost == null ? 0 : nodeHoursLost;
  }

  /** Share of the run time that was lost; 0 if unknown. */
  double lostShare() {
    return timeLostSeconds == null || runTimeSeconds == null || runTimeSeconds <= 0
        ? 0
        : timeLostSeconds / runTimeSeconds;
  }
}
