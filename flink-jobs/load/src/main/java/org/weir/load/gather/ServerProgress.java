package org.weir.load.gather;

import org.jspecify.annotations.Nullable;
import org.weir.load.bucket.ServerBucket;

/**
 * How far a server's samples have been worked off. Times of samples in microseconds, others in ms.
 */
public final class ServerProgress {

  public String cluster;
  public String server;
  public String origin;

  /** When the sample was sent with which all began anew, microseconds; 0 if it never did. */
  public long begunAt;

  /** Time of the newest sample, and the middle of its interval. */
  public long newestSample = Long.MIN_VALUE;

  public long newestMiddle;

  /**
   * Every bucket that ends by this time is closed and emitted; the one that starts here is open.
   */
  public long closedUntil = Long.MIN_VALUE;

  /** Width of the buckets in the index; 0 before the first site. */
  public long bucketMicros;

  /** When the newest sample passes this, samples that are too old are removed. */
  public long pruneAt = Long.MIN_VALUE;

  /** Processing time of the last sample. */
  public long lastArrival;

  /** The sooner of the intervals' ends: how long a server may stay silent. */
  public long silenceMillis;

  /** The open bucket has been emitted since the last sample. */
  public boolean flushed;

  /** The open bucket as it was emitted last; null if it never was. */
  public @Nullable ServerBucket flushedBucket;

  /** Hash of the device ids in the last sign of life. */
  public int devicesSighted;

  /** Processing time of the only registered timer; 0 if there is none. */
  public long timer;

  /** Leaves the fields to be set next, as Flink does when it reads one. */
  @SuppressWarnings("NullAway.Init")
  public ServerProgress() {}
}
