package org.weir.job.evaluate;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.weir.analysis.job.LogJobJoin;
import org.weir.job.control.Control;
import org.weir.job.run.LoadFacts;
import org.weir.job.run.RunSummary;
import org.weir.wire.SchedulerJob;
import org.weir.wire.Version;

/**
 * A run with its job and its load, and how much that is: what is known before it is judged.
 *
 * @param job null unless joined
 * @param version of what is said of it
 */
record JoinedRun(
    RunSummary run,
    LoadFacts load,
    LogJobJoin.Join join,
    @Nullable SchedulerJob job,
    int revision,
    long version) {

  /**
   * Joins a run.
   *
   * @param submits all known with its cluster and job id
   */
  static JoinedRun of(RunState state, List<SchedulerJob> submits, Control control) {
    RunSummary run = state.summary();
    LoadFacts load = state.loadFacts();
    boolean waitOver = state.joinWaitUntil == 0;
    LogJobJoin.Join join = LogJobJoin.joinJobs(run.forJoin(), submits, waitOver);
    int revision = control.revision(run.cluster);
    Version version =
        new Version.OfRun(
            control.revision(run),
            Completeness.ofLog(run),
            Completeness.ofSubmits(submits, isDecided(join)),
            Completeness.ofLoad(load),
            state.comparedWith().runs(),
            Completeness.seconds(submits) + load.samples);
    return new JoinedRun(run, load, join, join.jobOf(submits), revision, version.bits());
  }

  /** It is not joined and no longer waits to be. */
  boolean isGivenUp() {
    return isDecided() && join.state() != LogJobJoin.State.JOINED;
  }

  /** It is joined, or no longer waits to be. */
  boolean isDecided() {
    return isDecided(join);
  }

  private static boolean isDecided(LogJobJoin.Join join) {
    return join.state() != LogJobJoin.State.WAITING;
  }
}
