package org.weir.job.join;

import org.jspecify.annotations.Nullable;

/** Times of a job's state, all processing time in milliseconds. */
public final class JobProgress {

  public long lastArrival;

  /** When what has changed is written; 0 if nothing has changed. */
  public long resultsAt;

  /** Kafka timestamp of the oldest message behind the change, microseconds; 0 if there is none. */
  public long sentAt;

  /** Whose site is waited for; null before it is. */
  public @Nullable String cluster;

  /** When it is looked again whether the cluster's site is there; 0 if nothing waits for it. */
  public long siteLookAt;

  /** The end of that wait; 0 before it has begun. */
  public long siteWaitUntil;

  /** The only registered timer; 0 if there is none. */
  public long timer;

  public JobProgress() {}

  /** When something is due of what stands here; never if nothing is. */
  long next() {
    long results = resultsAt == 0 ? Long.MAX_VALUE : resultsAt;
    return siteLookAt == 0 ? results : Math.min(results, siteLookAt);
  }
}
