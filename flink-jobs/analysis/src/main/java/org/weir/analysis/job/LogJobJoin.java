package org.weir.analysis.job;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.weir.wire.SchedulerJob;

/**
 * Joins a log with the submit of a job that left it. The job id alone is no proof: it may be a
 * process id.
 */
public final class LogJobJoin {
  /** Clocks of nodes and scheduler differ, and a log may start before the scheduler notes it. */
  private static final long PADDING_MICROS = 600_000_000;

  /**
   * Schedulers state whole seconds: a job that ended at 12:00:07 may have run until 12:00:07.999.
   */
  private static final long LAST_SECOND_MICROS = 1_000_000;

  private static final String STRICT = "strict";

  private LogJobJoin() {}

  /** What the log says. {@code ownerUid} is null where its source has none. */
  public record Log(long startTime, long uid, @Nullable Long ownerUid, String ownerCheck) {}

  /**
   * One submit with the log's cluster and job id; times in UTC microseconds, null while unknown.
   * {@code end} is null for a job that still runs.
   */
  public record Submit(
      String jobUid, @Nullable Long uid, @Nullable Long start, @Nullable Long end) {
    static Submit of(SchedulerJob job) {
      return new Submit(job.getJobUid(), job.getUid(), job.getStartTime(), job.getEndTime());
    }
  }

  /** The column job_join. */
  public enum State {
    JOINED,
    WAITING,
    AMBIGUOUS,
    NOT_JOINABLE,
    QUARANTINED;

    /** As it stands in the column. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * The answer.
   *
   * @param jobUid null unless joined
   * @param reason empty if joined
   */
  public record Join(State state, @Nullable String jobUid, String reason) {

    /** Returns the joined one of these submits; null if there is none. */
    public @Nullable SchedulerJob jobOf(Collection<SchedulerJob> submits) {
      return submits.stream().filter(s -> s.getJobUid().equals(jobUid)).findFirst().orElse(null);
    }
  }

  /**
   * Joins a log.
   *
   * @param submits all records of the scheduler with the log's cluster and job id, in any order
   * @param waitOver no further submit is awaited
   */
  public static Join joinJobs(Log log, Collection<SchedulerJob> submits, boolean waitOver) {
    return join(log, submits.stream().map(Submit::of).toList(), waitOver);
  }

  /**
   * Joins a log.
   *
   * @param submits all known with the log's cluster and job id, in any order
   * @param waitOver no further submit is awaited
   */
  public static Join join(Log log, List<Submit> submits, boolean waitOver) {
    List<Submit> inTime =
        submits.stream().filter(s -> holds(s, log.startTime(), PADDING_MICROS)).toList();
    List<Submit> candidates =
        inTime.stream().filter(s -> s.uid() != null && s.uid() == log.uid()).toList();
    if (candidates.size() > 1) {
      List<Submit> closer = candidates.stream().filter(s -> holds(s, log.startTime(), 0)).toList();
      candidates = closer.isEmpty() ? candidates : closer;
    }
    if (candidates.size() > 1) {
      return new Join(
          State.AMBIGUOUS,
          null,
          candidates.size() + " submits of this job id hold the log's start");
    }
    return candidates.isEmpty()
        ? notFound(log, submits, inTime, waitOver)
        : checkOwner(log, candidates.get(0));
  }

  private static boolean holds(Submit submit, long time, long padding) {
    return submit.start() != null
        && time >= submit.start() - padding
        && (submit.end() == null || time < submit.end() + LAST_SECOND_MICROS + padding);
  }

  private static Join checkOwner(Log log, Submit submit) {
    if (log.ownerCheck().equals(STRICT) && !Objects.equals(submit.uid(), log.ownerUid())) {
      String owner = log.ownerUid() == null ? "unknown" : "uid " + log.ownerUid();
      return new Join(
          State.QUARANTINED,
          null,
          "the log file's owner is " + owner + ", the job's user is uid " + submit.uid());
    }
    return new Join(State.JOINED, submit.jobUid(), "");
  }

  private static Join notFound(
      Log log, List<Submit> submits, List<Submit> inTime, boolean waitOver) {
    if (!waitOver) {
      return new Join(State.WAITING, null, "waiting for the scheduler's record");
    }
    String reason = "the scheduler knows no job of this id; it may be a process id";
    if (!inTime.isEmpty()) {
      reason =
          "the log says uid "
              + log.uid()
              + ", the job of this id at this time is uid "
              + inTime.get(0).uid();
    } else if (!submits.isEmpty()) {
      reason = "the log starts outside of every job of this id";
    }
    return new Join(State.NOT_JOINABLE, null, reason);
  }
}
