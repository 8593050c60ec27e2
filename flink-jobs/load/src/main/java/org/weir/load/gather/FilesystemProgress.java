package org.weir.load.gather;

import java.util.HashMap;
import java.util.Map;
import org.weir.load.bucket.ServerBucket;

/** How far a file system's servers have reported. */
public final class FilesystemProgress {

  public String cluster;
  public String filesystem;

  /** By server: its buckets that end by this time, in microseconds, are complete. */
  public Map<String, Long> closedUntil = new HashMap<>();

  /** By server: {@link ServerBucket#begunAt} of its newest share, unless that is 0. */
  public Map<String, Long> begunAt = new HashMap<>();

  /** By server: processing time of its last share, milliseconds. */
  public Map<String, Long> heardAt = new HashMap<>();

  /** Start of the newest bucket, microseconds. */
  public long newestBucket = Long.MIN_VALUE;

  /** When what is too old passes this, it is removed. */
  public long pruneAt = Long.MIN_VALUE;

  /** Processing time of the first share, milliseconds. */
  public long firstArrival;

  /** Processing time of the last share, milliseconds. */
  public long lastArrival;

  /** Processing time of the only registered timer; 0 if there is none. */
  public long timer;

  /** Leaves the fields to be set next, as Flink does when it reads one. */
  @SuppressWarnings("NullAway.Init")
  public FilesystemProgress() {}
}
