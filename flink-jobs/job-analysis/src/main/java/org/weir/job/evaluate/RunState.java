package org.weir.job.evaluate;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;
import org.weir.analysis.compare.Baseline;
import org.weir.job.load.LoadAnswer;
import org.weir.job.run.LoadFacts;
import org.weir.job.run.RunSummary;

/** What is kept of a run; its parts come in any order. */
public final class RunState {

  /** The fullest summary; null before the first. */
  public @Nullable RunSummary run;

  /** The last answer of the load join; null before the first. */
  public @Nullable LoadAnswer load;

  /** The one over most runs; null before the first summary. */
  public @Nullable Baseline baseline;

  /** Log id of the run that replaced this one; null if none did. */
  public @Nullable String supersededBy;

  /** Processing time at which a run without a job stops waiting for one; 0 once it is decided. */
  public long joinWaitUntil;

  /**
   * Rules that the last written rows say hold; before the first, those of which a row may be left.
   */
  public String[] held = new String[0];

  /** The version of the last written rows; 0 before the first. */
  public long version;

  public RunState() {}

  /** Returns the fullest summary, which there is where the run is evaluated. */
  public RunSummary summary() {
    return requireNonNull(run, "no summary of the run has come");
  }

  /** Returns what it is compared with, which is known with the first summary. */
  Baseline comparedWith() {
    return requireNonNull(baseline, "no summary of the run has come");
  }

  /** The load as far as it is known for this state of the run. */
  LoadFacts loadFacts() {
    RunSummary run = summary();
    return load != null && load.state() == run.state() ? load.facts : run.load;
  }

  public void take(Baseline other) {
    if (baseline == null || other.runs() > baseline.runs()) {
      baseline = other;
    }
  }

  public boolean isInForce() {
    return run != null && supersededBy == null;
  }
}
