package org.weir.storage.control;

/**
 * What one subtask knows of its own wakefulness, in processing time: while the job is down, or
 * nothing at all reaches it, no server is at fault. Not part of the state.
 */
public final class Awake {

  /** So many times longer a server may be silent while nothing is heard of any other. */
  private static final int STALLED = 5;

  private long since;
  private long heardAt;

  /** A sign of life of any server. */
  public void heard(long now) {
    start(now);
    heardAt = now;
  }

  /** Milliseconds for which something has been missing while this subtask was there to notice. */
  public long missed(long missingSince, long now) {
    start(now);
    return now - Math.max(missingSince, since);
  }

  /** How long something that is missing may be so. */
  public long allowed(long missingSince, long patienceMillis) {
    return heardAt > missingSince ? patienceMillis : STALLED * patienceMillis;
  }

  private void start(long now) {
    since = since == 0 ? now : since;
  }
}
