package org.weir.storage;

import java.util.HashMap;
import java.util.Map;

/** The troubles of a file system and of its devices. */
public final class FilesystemWatch {

  public Trouble saturation = new Trouble();

  /** By device. */
  public Map<String, Trouble> hot = new HashMap<>();

  /** Start of the newest bucket, microseconds. */
  public long newestBucket = Long.MIN_VALUE;

  /** Processing time of the last bucket, milliseconds. */
  public long lastArrival;

  /** Processing time of the only registered timer; 0 if there is none. */
  public long timer;

  public FilesystemWatch() {}
}
