package org.weir.job.assemble;

import org.jspecify.annotations.Nullable;

/** How far a log has been put together. */
public final class Assembly {

  /** Messages as they came; null until then, and again once the log was complete. */
  public byte @Nullable [] header;

  public byte @Nullable [] end;

  /** RunAccumulator of the batches so far, those apart from it left out; null if none. */
  public byte @Nullable [] sums;

  /** Null until a part has said it. */
  public @Nullable String cluster;

  /**
   * The oldest revision of the site by which a batch was placed on file systems; of a complete log
   * that by which it was analyzed.
   */
  public int siteRevision = Integer.MAX_VALUE;

  /** Some batches have come before the site of the cluster and are not in the sums. */
  public boolean unplaced;

  /** Processing time until which the log waits for the site of its cluster. */
  public long siteWaitUntil;

  /** BitSet of the numbers of the batches that have come. */
  public byte[] seen = new byte[0];

  /** Everything was there and was emitted. */
  public boolean complete;

  /** Kafka timestamp of the oldest part, microseconds. */
  public long sentAt = Long.MAX_VALUE;

  /** Processing time of the last part, milliseconds. */
  public long lastArrival;

  /** What there was at the last part has been emitted as incomplete. */
  public boolean emitted;

  /** Processing time of the only registered timer; 0 if there is none. */
  public long timer;

  public Assembly() {}
}
