package org.weir.storage;

import java.util.Arrays;

/**
 * Whether something has persistently been too high, and the event about it. A trouble begins with a
 * high bucket, goes on with buckets that are not calm, and ends after calm ones. Times of buckets
 * in microseconds.
 */
public final class Trouble {

  /** Start of the bucket with which it began; 0 if there is none. */
  public long since;

  /** Seconds of the buckets since. */
  public double seconds;

  /** Numbers of these buckets times their seconds. */
  public double[] sums = {};

  /** Start and seconds of the calm buckets at its end. */
  public long calmSince;

  public double calmSeconds;

  /** End of the newest bucket. */
  public long until;

  /** Null if there is none. */
  public Event open;

  public Trouble() {}

  /** Whether nothing is left to remember. */
  boolean isOver() {
    return since == 0;
  }

  /**
   * Takes the next bucket; returns what is to be told now, or null.
   *
   * @param event prepared but for its time, taken if it is to be opened
   * @param persistSeconds a trouble is told after so long; a gap of this length ends one that is
   *     not
   * @param recoverSeconds an event ends after so long a calm
   */
  Event judge(
      Level level,
      long start,
      double bucketSeconds,
      double[] numbers,
      Event event,
      String[] names,
      double persistSeconds,
      double recoverSeconds) {
    if (open == null && until != 0 && start - until > persistSeconds * 1e6) {
      forget();
    }
    until = start + Math.round(bucketSeconds * 1e6);
    if (level == Level.CALM) {
      return calm(start, bucketSeconds, recoverSeconds);
    }
    if (since == 0 && level == Level.BETWEEN) {
      return null;
    }
    if (since == 0) {
      since = start;
      sums = new double[numbers.length];
    }
    calmSeconds = 0;
    seconds += bucketSeconds;
    Arrays.setAll(sums, i -> sums[i] + numbers[i] * bucketSeconds);
    if (open == null && seconds >= persistSeconds && !event.inMaintenance) {
      event.since = since;
      open = event;
      return tell(names);
    }
    if (open != null && open.inMaintenance != event.inMaintenance) {
      open.inMaintenance = event.inMaintenance;
      return tell(names);
    }
    return null;
  }

  private Event calm(long start, double bucketSeconds, double recoverSeconds) {
    if (open == null) {
      forget();
      return null;
    }
    calmSince = calmSeconds == 0 ? start : calmSince;
    calmSeconds += bucketSeconds;
    return calmSeconds >= recoverSeconds ? end(Event.RECOVERED, calmSince) : null;
  }

  private Event tell(String[] names) {
    return open.with(names, means()).at(until);
  }

  private double[] means() {
    return Arrays.stream(sums).map(sum -> sum / seconds).toArray();
  }

  /** Ends the open event. */
  Event end(String state, long ended) {
    Event event = open.end(state, ended).with(open.names, means()).at(until);
    open = null;
    forget();
    return event;
  }

  private void forget() {
    since = 0;
    seconds = 0;
    calmSeconds = 0;
  }
}
