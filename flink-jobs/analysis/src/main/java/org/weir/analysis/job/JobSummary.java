package org.weir.analysis.job;

import static java.util.Comparator.naturalOrder;
import static java.util.Comparator.nullsFirst;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.weir.analysis.evidence.Feature;
import org.weir.analysis.judge.RunJudgement;
import org.weir.analysis.judge.Verdict;
import org.weir.analysis.run.RunFeatures;
import org.weir.analysis.slowness.Cost;
import org.weir.wire.SchedulerJob;

/**
 * What is said of a job: its runs together, and whether anything is still awaited.
 *
 * @param logsExpected of the manifest; null before its first look
 * @param bytesRead sum over the runs; null if it is unknown of one or there is none
 * @param ioTimeSeconds sum over the runs; null likewise
 * @param nodeHours of the job; null while it has not ended
 * @param nodeHoursLost sum over the runs that know it, each counted once, never above {@code
 *     nodeHours}; null if none does
 * @param verdict of the run that lost most
 * @param coverage how far its I/O is known
 * @param findings ids of the rules that hold for any run, sorted
 * @param traits sorted
 */
public record JobSummary(
    boolean settled,
    int logsAnalysed,
    @Nullable Integer logsExpected,
    @Nullable Double bytesRead,
    @Nullable Double bytesWritten,
    @Nullable Double ioTimeSeconds,
    @Nullable Double nodeHours,
    @Nullable Double nodeHoursLost,
    Verdict verdict,
    Coverage coverage,
    List<String> findings,
    List<String> traits) {

  private static final Set<String> FAILED =
      Set.of("FAILED", "TIMEOUT", "NODE_FAIL", "OUT_OF_MEMORY", "BOOT_FAIL", "DEADLINE");

  /** The scheduler's rank of a terminal state. */
  private static final int TERMINAL = 3;

  private static final double MICROS_PER_HOUR = 3600e6;

  /** What the scheduler says; times in UTC microseconds, null while unknown. */
  public record Job(
      String state,
      int stateRank,
      @Nullable Integer nodes,
      @Nullable Long start,
      @Nullable Long end) {

    /** What is said of a job without a record of the scheduler. */
    public static final Job UNKNOWN = new Job("UNKNOWN", 0, null, null, null);

    public static Job of(SchedulerJob job) {
      return new Job(
          job.getState(), job.getStateRank(), job.getNodes(), job.getStartTime(), job.getEndTime());
    }

    boolean isOver() {
      return stateRank >= TERMINAL;
    }

    boolean hasFailed() {
      return FAILED.contains(state);
    }

    /** By somebody or something else than itself. */
    boolean wasEnded() {
      return hasFailed() || state.equals("CANCELLED");
    }
  }

  /** The newest look into the log directory. */
  public record Manifest(boolean isFinal, List<String> logIds) {
    /** How many of its logs are neither joined nor known as unjoined. */
    long missing(Collection<Run> runs, Set<String> unjoined) {
      Set<String> known = new HashSet<>(unjoined);
      runs.forEach(run -> known.add(run.logId()));
      return logIds.stream().filter(log -> !known.contains(log)).count();
    }
  }

  /**
   * A joined run that has been analyzed.
   *
   * @param loadIsFinal its load is closed, or the wait for it is over
   */
  public record Run(
      String logId, RunFeatures features, RunJudgement judgement, boolean loadIsFinal) {}

  /**
   * Sums a job up.
   *
   * @param manifest null before the first look
   * @param runs joined and not superseded, in any order
   * @param unjoined other analyzed logs of its job id that wait for no job: id to reason
   */
  public static JobSummary of(
      Job job, @Nullable Manifest manifest, List<Run> runs, Map<String, String> unjoined) {
    Double nodeHours = nodeHours(job);
    Double lost = sum(runs.stream().map(r -> r.judgement().cost().nodeHoursLost()).toList(), true);
    return new JobSummary(
        isSettled(job, manifest, runs, unjoined.keySet()),
        runs.size(),
        manifest == null ? null : manifest.logIds().size(),
        total(runs, "bytes_read"),
        total(runs, "bytes_written"),
        total(runs, "io_time_seconds"),
        nodeHours,
        lost == null || nodeHours == null ? lost : Double.valueOf(Math.min(lost, nodeHours)),
        verdict(job, manifest, runs),
        Coverage.of(job, manifest, runs, unjoined),
        findings(runs),
        traits(job, manifest, runs));
  }

  private static boolean isSettled(
      Job job, @Nullable Manifest manifest, List<Run> runs, Set<String> unjoined) {
    return job.isOver()
        && manifest != null
        && manifest.isFinal()
        && manifest.missing(runs, unjoined) == 0
        && runs.stream().allMatch(Run::loadIsFinal);
  }

  private static @Nullable Double nodeHours(Job job) {
    if (job.nodes() == null || job.start() == null || job.end() == null) {
      return null;
    }
    return job.nodes() * Math.max(0, job.end() - job.start()) / MICROS_PER_HOUR;
  }

  private static @Nullable Double total(List<Run> runs, String feature) {
    return sum(runs.stream().map(r -> r.features().value(feature)).toList(), false);
  }

  /** Returns null if no part is known, or if any is unknown and skipUnknown is false. */
  private static @Nullable Double sum(List<@Nullable Double> parts, boolean skipUnknown) {
    Double sum = null;
    // Sorted: the same parts in any order give the same rounding.
    for (Double part : parts.stream().sorted(Comparator.nullsFirst(Double::compare)).toList()) {
      if (part != null) {
        sum = sum == null ? part : Double.valueOf(sum + part);
      } else if (!skipUnknown) {
        return null;
      }
    }
    return sum;
  }

  private static Verdict verdict(Job job, @Nullable Manifest manifest, List<Run> runs) {
    if (runs.isEmpty()) {
      boolean none = manifest != null && manifest.isFinal() && manifest.logIds().isEmpty();
      return Verdict.unknown(
          none
              ? "the job left no Darshan log"
              : job.isOver() ? "waiting for the job's logs" : "the job has not ended");
    }
    return runs.stream().max(BY_LOSS).orElseThrow().judgement().verdict();
  }

  /**
   * The most node-hours lost win; then a slow or undecided run before one that is not slow, and the
   * one that lost, or spent, most time on I/O.
   */
  private static final Comparator<Run> BY_LOSS =
      Comparator.comparingDouble(JobSummary::lostNodeHours)
          .thenComparing(run -> run.judgement().verdict().value() != Verdict.Value.NOT_SLOW)
          .thenComparing(
              run -> run.judgement().cost().timeLostSeconds(), nullsFirst(naturalOrder()))
          .thenComparing(run -> run.features().value("io_time_seconds"), nullsFirst(naturalOrder()))
          .thenComparing(Run::logId);

  private static double lostNodeHours(Run run) {
    Cost cost = run.judgement().cost();
    return cost.nodeHoursLost() == null || !Boolean.TRUE.equals(cost.slow())
        ? 0
        : cost.nodeHoursLost();
  }

  private static List<String> findings(List<Run> runs) {
    Set<String> ids = new TreeSet<>();
    runs.forEach(run -> run.judgement().findings().forEach(f -> ids.add(f.ruleId())));
    return List.copyOf(ids);
  }

  private static List<String> traits(Job job, @Nullable Manifest manifest, List<Run> runs) {
    Map<String, Boolean> traits = new TreeMap<>();
    traits.put(
        "no_darshan_log",
        manifest != null && manifest.isFinal() && manifest.logIds().isEmpty() && runs.isEmpty());
    int logs = Math.max(runs.size(), manifest == null ? 0 : manifest.logIds().size());
    traits.put("many_logs_one_job", logs > 1);
    traits.put("job_failed", job.hasFailed());
    traits.put("job_cancelled", job.state().equals("CANCELLED"));
    traits.put(
        "partial_log", runs.stream().anyMatch(r -> !r.features().logState().hasAllRecords()));
    traits.put("no_io", !runs.isEmpty() && runs.stream().allMatch(JobSummary::movedNothing));
    List<String> names = new ArrayList<>();
    traits.forEach(
        (name, holds) -> {
          if (holds) {
            names.add(name);
          }
        });
    return List.copyOf(names);
  }

  private static boolean movedNothing(Run run) {
    Feature bytes = run.features().feature("bytes_moved");
    return bytes.isKnown() && bytes.requiredValue() == 0;
  }
}
