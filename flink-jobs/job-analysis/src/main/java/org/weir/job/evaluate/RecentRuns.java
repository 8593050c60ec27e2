package org.weir.job.evaluate;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.weir.analysis.run.RunFeatures;
import org.weir.job.control.Control;
import org.weir.job.run.RunSummary;
import org.weir.wire.SchedulerJob;

/**
 * Evaluates runs, and keeps those evaluated last: a job's result says of each of its runs what
 * their rows say, and most of them have not changed since. Not serializable: build it in open().
 */
public final class RecentRuns {

  private static final int KEPT = 256;

  private final Control control;

  /** By cluster and log id. */
  private final Map<String, EvaluatedRun> kept =
      new LinkedHashMap<>(2 * KEPT, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, EvaluatedRun> eldest) {
          return size() > KEPT;
        }
      };

  public RecentRuns(Control control) {
    this.control = control;
  }

  /** The run as it is known now; as it was evaluated before if its version is still the same. */
  public EvaluatedRun evaluate(RunState state, List<SchedulerJob> submits) {
    JoinedRun joined = JoinedRun.of(state, submits, control);
    RunSummary run = joined.run();
    String id = run.cluster + "/" + run.logId;
    EvaluatedRun before = kept.get(id);
    if (before != null && before.version() == joined.version()) {
      return before;
    }
    EvaluatedRun evaluated =
        EvaluatedRun.of(joined, features(run, before), state.comparedWith(), control);
    kept.put(id, evaluated);
    return evaluated;
  }

  private static RunFeatures features(RunSummary run, @Nullable EvaluatedRun before) {
    return before != null && Arrays.equals(before.run().features, run.features)
        ? before.features()
        : run.readFeatures();
  }

  /** Forgets all of them: what they were judged by has changed. */
  public void clear() {
    kept.clear();
  }
}
