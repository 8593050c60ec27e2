package org.weir.storage.trouble;

import java.util.HashMap;
import java.util.Map;
import org.weir.storage.events.Event;

/** The troubles of a file system and of its devices, as held in state. Times in microseconds. */
public final class FilesystemWatch {

  /** As of the newest bucket. */
  public Troubles newest = new Troubles();

  /** Start of the newest bucket. */
  public long newestBucket = Long.MIN_VALUE;

  /** As of {@link #settledUntil}: buckets before it change no more. */
  public Troubles settled = new Troubles();

  public long settledUntil = Long.MIN_VALUE;

  /** What was emitted last of each event that is open or may change, by id. */
  public Map<String, Event> emitted = new HashMap<>();

  /** Processing time of the last bucket, milliseconds. */
  public long lastArrival;

  /** Processing time of the only registered timer; 0 if there is none. */
  public long timer;

  public FilesystemWatch() {}
}
