package org.weir.storage.hours;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How far the hours of a subject have been worked off. Starts in microseconds, others in ms. */
public final class HourlyProgress {

  /** As in {@link HourPart}; null before the first part since an older program's state. */
  public @Nullable String kind;

  /** Starts of the hours that have changed since they were written. */
  public Set<Long> changed = new HashSet<>();

  /** Processing time of the last part. */
  public long lastArrival;

  /** Processing time of the only registered timer; 0 if there is none. */
  public long timer;

  public HourlyProgress() {}
}
