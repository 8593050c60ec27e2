package org.weir.job.evaluate;

import java.util.List;
import org.weir.analysis.job.Joins;
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
    RunSummary run, LoadFacts load, Joins.Join join, SchedulerJob job, int revision, long version) {

  /**
   * Joins a run.
   *
   * @param submits all known with its cluster and job id
   */
  static JoinedRun of(RunState state, List<SchedulerJob> submits, Control control) {
    RunSummary run = state.run;
    LoadFacts load = state.loadFacts();
    boolean waitOver = state.joinWaitUntil == 0;
    Joins.Join join =
        Joins.join(run.forJoin(), submits.stream().map(JoinedRun::forJoin).toList(), waitOver);
    SchedulerJob job =
        submits.stream().filter(s -> s.getJobUid().equals(join.jobUid())).findFirst().orElse(null);
    int revision = control.revision(run.cluster);
    long version =
        Version.ofRun(
            control.revision(run),
            Knowledge.ofLog(run),
            Knowledge.ofSubmits(submits, isDecided(join)),
            Knowledge.ofLoad(load),
            state.baseline.runs(),
            Knowledge.seconds(submits) + load.ticks);
    return new JoinedRun(run, load, join, job, revision, version);
  }

  private static Joins.Submit forJoin(SchedulerJob job) {
    return new Joins.Submit(job.getJobUid(), job.getUid(), job.getStartTime(), job.getEndTime());
  }

  /** It is not joined and no longer waits to be. */
  boolean isGivenUp() {
    return isDecided() && join.state() != Joins.State.JOINED;
  }

  /** It is joined, or no longer waits to be. */
  boolean isDecided() {
    return isDecided(join);
  }

  private static boolean isDecided(Joins.Join join) {
    return join.state() != Joins.State.WAITING;
  }
}
