package org.weir.storage.trouble;

import static java.util.Objects.requireNonNull;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.weir.site.Site;
import org.weir.storage.events.Event;

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

  /** The event about it; null if none is open. */
  public @Nullable Event open;

  public Trouble() {}

  /** Whether nothing is left to remember. */
  boolean isOver() {
    return since == 0;
  }

  /**
   * Takes the next bucket; returns what is to be emitted now, null if nothing is.
   *
   * @param event with the numbers of the bucket, prepared but for its time; taken if it is to be
   *     opened
   * @param limits a trouble is an event after its persistSeconds, and a gap of this length ends one
   *     that is not; an event ends after recoverSeconds of calm
   */
  @Nullable Event judge(
      Level level, Event event, FilesystemVitals vitals, Site.StorageEvents limits) {
    long start = vitals.bucketStart;
    double bucketSeconds = vitals.bucketSeconds;
    if (open == null && until != 0 && start - until > limits.persistSeconds() * 1e6) {
      forget();
    }
    until = start + Math.round(bucketSeconds * 1e6);
    if (level == Level.CALM) {
      return calm(start, bucketSeconds, limits.recoverSeconds());
    }
    if (since == 0 && level == Level.BETWEEN) {
      return null;
    }
    if (since == 0) {
      since = start;
      sums = new double[event.numbers.length];
    }
    calmSeconds = 0;
    seconds += bucketSeconds;
    Arrays.setAll(sums, i -> sums[i] + event.numbers[i] * bucketSeconds);
    if (open == null && seconds >= limits.persistSeconds() && !event.inMaintenance) {
      event.since = since;
      open = event;
      return emit(event);
    }
    if (open != null && open.inMaintenance != event.inMaintenance) {
      open.inMaintenance = event.inMaintenance;
      return emit(open);
    }
    return null;
  }

  private @Nullable Event calm(long start, double bucketSeconds, double recoverSeconds) {
    if (open == null) {
      forget();
      return null;
    }
    calmSince = calmSeconds == 0 ? start : calmSince;
    calmSeconds += bucketSeconds;
    return calmSeconds >= recoverSeconds ? end(Event.RECOVERED, calmSince) : null;
  }

  private Event emit(Event it) {
    return it.with(it.names, means()).at(until);
  }

  private double[] means() {
    return Arrays.stream(sums).map(sum -> sum / seconds).toArray();
  }

  /** Ends the open event. */
  Event end(String state, long ended) {
    Event event = emit(requireNonNull(open, "no event is open").end(state, ended));
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
