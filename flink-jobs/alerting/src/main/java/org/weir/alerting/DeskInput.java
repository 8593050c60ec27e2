package org.weir.alerting;

import org.weir.alerts.JobFacts;
import org.weir.alerts.Wish;

/** What a user's desk takes in: a job's result or a wish; the other is null. */
public final class DeskInput {

  public String cluster;
  public String user;
  public JobFacts job;
  public Wish wish;

  /** Kafka timestamp of the message, microseconds. */
  public long sentAt;

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
