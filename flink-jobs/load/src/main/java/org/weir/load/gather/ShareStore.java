package org.weir.load.gather;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.weir.load.bucket.ServerBucket;

/** Keeps the shares of servers in the buckets of one file system. Starts are in microseconds. */
public interface ShareStore {

  /** Returns the bucket that starts here; null if it is not kept. */
  @Nullable FilesystemBucket bucket(long start) throws Exception;

  void putBucket(long start, FilesystemBucket bucket) throws Exception;

  void removeBucket(long start) throws Exception;

  /** Returns the start of each bucket. */
  Iterable<Long> starts() throws Exception;

  /** Returns what a server had in a bucket; null if it had nothing. */
  @Nullable ServerBucket share(long start, String server) throws Exception;

  void putShare(ServerBucket share) throws Exception;

  void removeShare(long start, String server) throws Exception;

  /** Returns the buckets that are not emitted yet: start to arrival of the first share, ms. */
  Iterable<Map.Entry<Long, Long>> pending() throws Exception;

  boolean isPending(long start) throws Exception;

  void putPending(long start, long arrival) throws Exception;

  void removePending(long start) throws Exception;

  /** Forgets everything. */
  void clear();
}
