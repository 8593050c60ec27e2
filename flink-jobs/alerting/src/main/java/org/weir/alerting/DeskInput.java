package org.weir.alerting;

import org.jspecify.annotations.Nullable;
import org.weir.alerts.JobFacts;
import org.weir.alerts.Wish;

/** What a user's desk takes in: either a job's result or a wish. */
public final class DeskInput {

  public String cluster;
  public String user;
  public @Nullable JobFacts job;
  public @Nullable Wish wish;

  /** Kafka timestamp of the message, microseconds. */
  public long sentAt;

  /** Leaves the fields to be set next, as Flink does when it reads one. */
  @SuppressWarnings("NullAway.Init")
  public DeskInput() {}

  static DeskInput of(String cluster, String user, JobFacts job, long sentAt) {
    DeskInput input = of(cluster, user, sentAt);
    input.job = job;
    return input;
  }

  static DeskInput of(String cluster, String user, Wish wish, long sentAt) {
    DeskInput input = of(cluster, user, sentAt);
    input.wish = wish;
    return input;
  }

  private static DeskInput of(String cluster, String user, long sentAt) {
    DeskInput input = new DeskInput();
    input.cluster = cluster;
    input.user = user;
    input.sentAt = sentAt;
    return input;
  }

  String key() {
    return cluster + "/" + user;
  }
}
