package org.weir.alerts;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.weir.alerts.policy.Policy;

/** Holds what one message is about, and what became of it. */
public final class UnitFacts {

  /**
   * Beyond these an array's further jobs are counted in its cases, and not listed in its message.
   */
  static final int MOST_JOBS = 500;

  /** A job or array, or {@code fixed CASE LOG}. */
  public String unit;

  /** Job uids that are known of it. */
  public List<String> jobs = new ArrayList<>();

  /** UTC milliseconds at which it is decided; 0 while nothing is to be. */
  public long dueAt;

  /** UTC milliseconds at which the last of its results was published; 0 if unknown. */
  public long settledAt;

  /** UTC milliseconds of its message; 0 before. */
  public long sentAt;

  /** Mode of that message; null before. */
  public Policy.@Nullable Mode sentIn;

  /** Leaves the fields to be set next, as Flink does when it reads one. */
  @SuppressWarnings("NullAway.Init")
  public UnitFacts() {}

  public UnitFacts(String unit) {
    this.unit = unit;
  }

  boolean wasSent(Policy.Mode mode) {
    return sentAt != 0 && sentIn == mode;
  }

  void send(Policy.Mode mode, long now) {
    sentAt = now;
    sentIn = mode;
  }

  void add(String jobUid) {
    if (!jobs.contains(jobUid) && jobs.size() < MOST_JOBS) {
      jobs.add(jobUid);
    }
  }
}
