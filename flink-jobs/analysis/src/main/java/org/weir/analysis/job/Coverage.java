package org.weir.analysis.job;

import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.weir.analysis.log.LogState;

/**
 * How far a job's I/O is known: its entry in the coverage ledger.
 *
 * @param reason one sentence for people; empty where the state says it all
 */
public record Coverage(State state, String reason) {

  /** The column coverage. */
  public enum State {
    /** It has not ended. */
    RUNNING,
    /** It ended before it began: there is nothing to know. */
    NOT_STARTED,
    /** Its logs, or the last look for them, are still to come. */
    AWAITED,
    /** All its logs are whole and analyzed. */
    INSTRUMENTED,
    /** It ended well and left no log. */
    NOT_INSTRUMENTED,
    /**
     * It was ended and left no log, or only what all processes of its runs had counted till then.
     */
    KILLED,
    /** A module of a log ran out of memory, or the log is that of a run that did not end. */
    PARTIAL,
    /** A log could be read in part only. */
    DAMAGED,
    /** A log that it left is another's, or nobody's. */
    UNJOINABLE;

    /** As it stands in the column. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Computes the coverage of a job.
   *
   * @param manifest the newest look; null before the first
   * @param runs joined to it
   * @param unjoined logs of its job id that are analyzed and not joined to any job: id to reason
   */
  static Coverage of(
      JobSummary.Job job,
      JobSummary.@Nullable Manifest manifest,
      Collection<JobSummary.Run> runs,
      Map<String, String> unjoined) {
    if (!job.isOver()) {
      return new Coverage(State.RUNNING, "");
    }
    if (runs.isEmpty() && job.start() == null) {
      return new Coverage(State.NOT_STARTED, "");
    }
    if (manifest == null || !manifest.isFinal()) {
      return new Coverage(State.AWAITED, "the last look for its logs is still to come");
    }
    long missing = manifest.missing(runs, unjoined.keySet());
    if (missing > 0) {
      return new Coverage(
          State.AWAITED,
          "%d of %d logs have not been analyzed".formatted(missing, manifest.logIds().size()));
    }
    for (String log : manifest.logIds()) {
      if (unjoined.containsKey(log)) {
        return new Coverage(State.UNJOINABLE, "log " + log + ": " + unjoined.get(log));
      }
    }
    return runs.isEmpty() ? withoutLog(job) : ofLogs(runs);
  }

  private static Coverage withoutLog(JobSummary.Job job) {
    return job.wasEnded()
        ? new Coverage(State.KILLED, "it ended as " + job.state())
        : new Coverage(State.NOT_INSTRUMENTED, "");
  }

  private static Coverage ofLogs(Collection<JobSummary.Run> runs) {
    if (any(runs, LogState.DAMAGED) || any(runs, LogState.INCOMPLETE)) {
      return new Coverage(State.DAMAGED, "");
    }
    if (runs.stream().allMatch(run -> run.features().logState() == LogState.KILLED)) {
      return new Coverage(State.KILLED, "what its processes did until then is known");
    }
    boolean whole = runs.stream().allMatch(run -> run.features().logState() == LogState.COMPLETE);
    return new Coverage(whole ? State.INSTRUMENTED : State.PARTIAL, "");
  }

  private static boolean any(Collection<JobSummary.Run> runs, LogState state) {
    return runs.stream().anyMatch(run -> run.features().logState() == state);
  }
}
