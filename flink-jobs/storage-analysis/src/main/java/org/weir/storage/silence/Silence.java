package org.weir.storage.silence;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;
import org.weir.storage.events.Event;

/**
 * Whether a server or device is missing, and the event about it. Times of samples in microseconds.
 */
public final class Silence {

  public static final String[] NUMBERS = {
    "silent_seconds", "allowed_seconds", "sample_interval_seconds"
  };

  /** Time of the last sample in which it was; 0 if it never was. */
  public long lastSample;

  /** Processing time and sample with which it came back; 0 if it has not. */
  public long backSince;

  public long backSample;

  /** The interval of its samples. */
  public double intervalSeconds;

  /** The event about it; null if none is open. */
  public @Nullable Event open;

  public Silence() {}

  /** It is there again, or still. */
  void back(long now, long sample) {
    lastSample = sample;
    if (backSince == 0) {
      backSince = now;
      backSample = sample;
    }
  }

  /**
   * What is to be emitted now; null if nothing is.
   *
   * @param silence prepared event, taken if it is to be opened
   * @param seenAt processing time at which it was there last
   * @param missingMillis how long it has been missing since; 0 if it is there
   * @param recoverMillis how long it must be there before the event ends
   */
  @Nullable Event judge(
      Event silence,
      long now,
      long seenAt,
      long missingMillis,
      long allowedMillis,
      long recoverMillis) {
    boolean isMissing = missingMillis >= allowedMillis;
    if (open == null) {
      if (!isMissing || silence.inMaintenance) {
        return null;
      }
      open = silence;
      backSince = 0;
      return emit(silence, now, missingMillis, allowedMillis);
    }
    if (backSince > 0 && !isMissing && seenAt - backSince >= recoverMillis) {
      return end(Event.RECOVERED, backSample, now);
    }
    if (open.inMaintenance != silence.inMaintenance) {
      open.inMaintenance = silence.inMaintenance;
      return emit(open, now, missingMillis, allowedMillis);
    }
    return null;
  }

  private Event emit(Event it, long now, long missingMillis, long allowedMillis) {
    return it.with(NUMBERS, missingMillis / 1e3, allowedMillis / 1e3, intervalSeconds)
        .at(now * 1000);
  }

  /** Ends the open event; not before it began, as by a clock that was set back meanwhile. */
  Event end(String state, long ended, long now) {
    Event it = requireNonNull(open, "no event is open");
    Event event = it.end(state, Math.max(ended, it.since)).at(now * 1000);
    event.numbers[0] = Math.max(event.numbers[0], (event.ended - event.since) / 1e6);
    open = null;
    return event;
  }
}
