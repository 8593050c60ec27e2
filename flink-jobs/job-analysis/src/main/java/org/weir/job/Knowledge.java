package org.weir.job;

import java.util.Collection;
import org.weir.wire.JobManifest;
import org.weir.wire.SchedulerJob;
import org.weir.wire.Version;

/**
 * How much is known, as numbers that every new input raises and none lowers: what versions are made
 * of. Everything under a cluster and job id counts, not only what is joined at the moment: a second
 * submit can make a join ambiguous, and that must not look like knowing less.
 */
final class Knowledge {

  /** In a job's knowledge, of each step of a submit. */
  private static final int STEP = 64;

  /** More than of any run in force, decided or not. */
  private static final int SUPERSEDED =
      1 + (7 << 3 | Version.WHOLE_LOAD) + Version.MOST_BASELINE + 2;

  private Knowledge() {}

  /** Parts of the log analysed, its end among them. */
  static int ofLog(RunSummary run) {
    return run.isWhole() ? Version.WHOLE_LOG : Math.min(run.parts(), Version.WHOLE_LOG - 1);
  }

  /**
   * Of the submits; that the wait for them is over counts less than any of their steps. What was
   * decided then is left to them and their seconds: a correction can join what was given up, and
   * part what was joined.
   *
   * @param decided the run is joined, or no longer waits to be
   */
  static int ofSubmits(Collection<SchedulerJob> submits, boolean decided) {
    return 2 * steps(submits) + (decided ? 1 : 0);
  }

  private static int steps(Collection<SchedulerJob> submits) {
    return submits.stream().mapToInt(job -> 1 + job.getStateRank()).sum();
  }

  /** The top only when it is closed or there is none, the bottom only while nothing was said. */
  static int ofLoad(LoadFacts load) {
    if (load.summary().isKnownInFull()) {
      return Version.WHOLE_LOAD;
    }
    return load.waitOver ? 1 + Math.min(5, 6 * load.bucketsClosed / load.bucketsExpected) : 0;
  }

  /**
   * Seconds from each submit to its state, together: a later state of the same rank raises them.
   */
  static long seconds(Collection<SchedulerJob> submits) {
    return submits.stream().mapToLong(job -> Math.max(0, job.getVersion() - submitted(job))).sum();
  }

  private static long submitted(SchedulerJob job) {
    return job.getSubmitTime() / 1_000_000;
  }

  /**
   * Of everything around a job id. A decided run counts until another log replaces it, and a
   * replaced log counts more than itself.
   *
   * @param decided runs in force that are joined, or no longer wait to be
   */
  static int ofJob(
      Collection<SchedulerJob> submits,
      Collection<JobManifest> looks,
      Collection<RunState> runs,
      int decided) {
    return STEP * steps(submits)
        + decided
        + looks.stream().mapToInt(look -> look.getFinal$() ? 2 : 1).sum()
        + runs.stream().mapToInt(Knowledge::ofRun).sum();
  }

  private static int ofRun(RunState state) {
    if (state.supersededBy != null) {
      return SUPERSEDED;
    }
    if (state.run == null) {
      return 0;
    }
    int log = state.run.isWhole() ? 7 : Math.min(state.run.parts(), 6);
    return 1 + (log << 3 | ofLoad(state.loadFacts())) + state.baseline.runs();
  }

  /**
   * That a later state of a submit, a later look and a late server tick each raise. Looks count
   * from the earliest submit: one that is told of only later raises them.
   *
   * @param submits at least one
   */
  static long seconds(
      Collection<SchedulerJob> submits, Collection<JobManifest> looks, Collection<RunState> runs) {
    long first = submits.stream().mapToLong(Knowledge::submitted).min().orElseThrow();
    return seconds(submits)
        + runs.stream().mapToLong(run -> run.isInForce() ? run.loadFacts().ticks : 0).sum()
        + looks.stream()
            .mapToLong(look -> Math.max(0, DecodeManifests.version(look) - first))
            .sum();
  }
}
