package org.weir.job.evaluate;

import java.util.Collection;
import java.util.List;
import java.util.function.ToLongFunction;
import org.weir.job.run.LoadFacts;
import org.weir.job.run.RunSummary;
import org.weir.wire.JobManifest;
import org.weir.wire.SchedulerJob;
import org.weir.wire.Version;

/**
 * How much is known, as numbers that every new input raises and none lowers: what versions are made
 * of. Everything under a cluster and job id counts, not only what is joined at the moment: a second
 * submit can make a join ambiguous, and that must not look like knowing less.
 */
public final class Completeness {

  /** What a whole log counts in what is known of a job's logs. */
  private static final int WHOLE = 31;

  /**
   * The number of runs up to which a weight fits. {@link OfJob#rest} has 25 bits: a quarter holds
   * the weighed steps of so many runs, a quarter the weighed seconds, a half the seconds as such.
   */
  private static final int MOST_WEIGHED_RUNS = 125;

  /** The most that weighed seconds count. */
  private static final long MOST_WEIGHT_OF_SECONDS = 1 << 23;

  /** The most that seconds count as such: half a year. */
  private static final long MOST_SECONDS = 1 << 24;

  private Completeness() {}

  /** Parts of the log analyzed, its end among them. */
  static int ofLog(RunSummary run) {
    return run.isWhole() ? Version.WHOLE_LOG : Math.min(run.parts(), Version.WHOLE_LOG - 1);
  }

  /**
   * Counts what is known of the submits; that the wait for them is over counts less than any of
   * their steps. What was decided then is left to them and their seconds: a correction can join
   * what was given up, and part what was joined.
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
   * Holds what is known of everything around a job id, the weightier first.
   *
   * @param submits their steps
   * @param logs what each of them says and under which site, whatever is known beside it: one that
   *     comes after the rest was forgotten counts once the rest is sent again, although the load
   *     beside it is not known any more
   * @param rest decisions, the load of each run, looks, later states of the same rank and late
   *     server samples, each by its steps, its seconds or its number; and the earlier runs that
   *     runs are compared with. A job that failed begins anew and may know fewer of these, and what
   *     it learns then must win over what it had written: so each of the others weighs more than
   *     all earlier runs, where the job has not too many runs and seconds
   */
  public record OfJob(int submits, int logs, long rest) {}

  /**
   * Counts what is known of everything around a job id.
   *
   * @param submits at least one
   * @param decided active runs that are joined, or no longer wait to be
   */
  public static OfJob ofJob(
      Collection<SchedulerJob> submits,
      Collection<JobManifest> looks,
      Collection<RunState> runs,
      int decided) {
    List<RunState> inForce = runs.stream().filter(RunState::isInForce).toList();
    long steps = decided + sum(inForce, run -> ofLoad(run.loadFacts()));
    // From the earliest submit: one that arrives only later raises them.
    long first = submits.stream().mapToLong(Completeness::submitted).min().orElseThrow();
    long seconds =
        seconds(submits)
            + looks.stream().mapToLong(look -> ofLook(look, first)).sum()
            + sum(inForce, run -> run.loadFacts().samples);
    long earlierRuns = sum(inForce, run -> run.comparedWith().runs());
    long weight = weight(runs.stream().filter(state -> state.run != null).count());
    long rest =
        weight * steps
            + Math.min(weight * seconds, MOST_WEIGHT_OF_SECONDS)
            + Math.min(seconds, MOST_SECONDS)
            + earlierRuns;
    return new OfJob(steps(submits), runs.stream().mapToInt(Completeness::ofLogOfJob).sum(), rest);
  }

  /** As {@link InputVersions} orders them, lest a look that replaces another count less. */
  private static long ofLook(JobManifest look, long first) {
    return 1 + Math.max(look.getFinal$() ? 1 : 0, InputVersions.of(look) - 2 * first);
  }

  private static long sum(List<RunState> runs, ToLongFunction<RunState> what) {
    return runs.stream().mapToLong(what).sum();
  }

  /**
   * Weighs more than the earlier runs of all runs; of many runs only one, lest the field saturate.
   * One more run lowers nothing, as logs are weightier.
   */
  private static long weight(long runs) {
    return runs <= MOST_WEIGHED_RUNS ? 1 + Version.MOST_EARLIER_RUNS * runs : 1;
  }

  /** A replaced log counts more than itself. */
  private static int ofLogOfJob(RunState state) {
    int site = state.run == null ? 0 : state.run.siteRevision;
    if (state.supersededBy != null) {
      return WHOLE + 1 + site;
    }
    if (state.run == null) {
      return 0;
    }
    return site + (state.run.isWhole() ? WHOLE : Math.min(state.run.parts(), WHOLE - 1));
  }
}
