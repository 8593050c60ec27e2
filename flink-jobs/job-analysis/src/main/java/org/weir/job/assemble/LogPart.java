package org.weir.job.assemble;

import org.jspecify.annotations.Nullable;

/** One part of a log on its way to be put together. */
public final class LogPart {

  public static final int HEADER = 0;
  public static final int BATCH = 1;
  public static final int END = 2;

  /** A batch as it came, because the site of its cluster was not known. */
  public static final int UNPLACED_BATCH = 3;

  public String logId;

  /** Null for an end, which does not say it. */
  public @Nullable String cluster;

  public int kind;

  /** The batch's number, from 0 over all modules. */
  public int number;

  /** What the batch's records add up to (RunAccumulator), else the message as it came. */
  public byte[] bytes;

  /** Kafka timestamp of the message, microseconds. */
  public long sentAt;

  /** The revision of the site by which the files of a batch that was added up were placed. */
  public int siteRevision;

  /** Leaves the fields to be set next, as Flink does when it reads one. */
  @SuppressWarnings("NullAway.Init")
  public LogPart() {}

  public LogPart(
      String logId, @Nullable String cluster, int kind, int number, byte[] bytes, long sentAt) {
    this.logId = logId;
    this.cluster = cluster;
    this.kind = kind;
    this.number = number;
    this.bytes = bytes;
    this.sentAt = sentAt;
  }
}
