package org.weir.load.gather;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.weir.load.bucket.DevicePart;
import org.weir.load.bucket.FilesystemLoad;
import org.weir.load.bucket.ServerBucket;

/**
 * Gathers the shares of servers in the buckets of a file system, and decides which of these are to
 * be emitted. It knows neither time nor output: these are the operator's.
 */
public final class FilesystemBuckets {

  /** A server that is further behind than this is not waited for, in microseconds. */
  public static final long FURTHEST_BEHIND = Duration.ofDays(1).toMillis() * 1000;

  private final ShareStore store;
  private final long retentionMicros;

  /**
   * Gathers into a store.
   *
   * @param retentionMicros how far behind the slowest server a bucket is kept
   */
  public FilesystemBuckets(ShareStore store, long retentionMicros) {
    this.store = store;
    this.retentionMicros = retentionMicros;
  }

  /**
   * Notes how far the server of a share is.
   *
   * @param now processing time, milliseconds
   */
  public static void note(FilesystemProgress at, ServerBucket share, long now) {
    at.lastArrival = now;
    at.heardAt.put(share.server, now);
    if (share.begunAt > at.begunAt.getOrDefault(share.server, 0L)) {
      // With its clock, what it said to be closed was ahead, and perhaps the newest bucket.
      at.begunAt.put(share.server, share.begunAt);
      at.closedUntil.remove(share.server);
      at.newestBucket = Long.MIN_VALUE;
      at.pruneAt = Long.MIN_VALUE;
    }
    at.newestBucket = Math.max(at.newestBucket, share.bucketStart);
    at.closedUntil.merge(share.server, share.closedUntil, Math::max);
  }

  /**
   * Takes a share in that was noted; returns the buckets to emit: those that every expected server
   * has closed, and the share's own if it was emitted before and has changed.
   *
   * @param now processing time, milliseconds
   */
  public SortedSet<Long> take(
      FilesystemProgress at, ServerBucket share, Set<String> expected, long now) throws Exception {
    SortedSet<Long> due = new TreeSet<>();
    if (keep(share, now) && known(share.bucketStart).emitted) {
      due.add(share.bucketStart);
    }
    long closedUntil = closedUntil(at, expected);
    long width = Math.round(share.bucketSeconds * 1e6);
    for (Map.Entry<Long, Long> waiting : store.pending()) {
      if (waiting.getKey() + width <= closedUntil) {
        due.add(waiting.getKey());
      }
    }
    return due;
  }

  /** Stores a share unless as full a one is known; returns whether the bucket has changed. */
  private boolean keep(ServerBucket share, long now) throws Exception {
    FilesystemBucket bucket = store.bucket(share.bucketStart);
    if (bucket == null) {
      bucket = new FilesystemBucket();
      store.putPending(share.bucketStart, now);
    }
    if (bucket.samples.getOrDefault(share.server, 0L) >= share.samples && !isKnownVoid(share)) {
      return false;
    }
    bucket.samples.put(share.server, share.samples);
    store.putShare(share);
    store.putBucket(share.bucketStart, bucket);
    return true;
  }

  /** Whether the known share was sent ahead of its time, before its server started over. */
  private boolean isKnownVoid(ServerBucket share) throws Exception {
    return share.bucketStart >= share.begunAt
        && known(share.bucketStart, share.server).begunAt < share.begunAt;
  }

  /** Until when all expected servers have closed their buckets, microseconds; 0 if one has not. */
  public static long closedUntil(FilesystemProgress at, Set<String> expected) {
    return expected.stream().mapToLong(s -> at.closedUntil.getOrDefault(s, 0L)).min().orElse(0);
  }

  /**
   * Returns the buckets that wait since then or longer.
   *
   * @param latest arrival of their first share, milliseconds
   */
  public SortedSet<Long> waitingSince(long latest) throws Exception {
    SortedSet<Long> found = new TreeSet<>();
    for (Map.Entry<Long, Long> waiting : store.pending()) {
      if (waiting.getValue() <= latest) {
        found.add(waiting.getKey());
      }
    }
    return found;
  }

  /** Returns the earliest arrival of a bucket that waits; null if none does. */
  public @Nullable Long firstWaiting() throws Exception {
    @Nullable Long first = null;
    for (Map.Entry<Long, Long> waiting : store.pending()) {
      first = first == null ? waiting.getValue() : Math.min(first, waiting.getValue());
    }
    return first;
  }

  /**
   * Adds the shares of a bucket up, which is emitted from now on.
   *
   * @param devices filled with each device once, see {@link FilesystemLoad#of}
   */
  public FilesystemLoad load(
      long start, FilesystemProgress at, Set<String> expected, Map<String, DevicePart> devices)
      throws Exception {
    FilesystemBucket bucket = known(start);
    List<ServerBucket> parts = new ArrayList<>();
    for (String server : new TreeSet<>(bucket.samples.keySet())) {
      parts.add(known(start, server));
    }
    FilesystemLoad load = FilesystemLoad.of(parts, devices);
    load.closedUntil = closedUntil(at, expected);
    load.serversExpected = expected.size();
    if (!bucket.emitted) {
      bucket.emitted = true;
      store.putBucket(start, bucket);
      store.removePending(start);
    }
    return load;
  }

  /**
   * Forgets emitted buckets that no server can change any more.
   *
   * @param silent the servers that are silent for too long to be waited for
   * @param now processing time, milliseconds
   */
  public void prune(FilesystemProgress at, Set<String> expected, Predicate<String> silent, long now)
      throws Exception {
    // The clock bounds the newest bucket: one of a clock far ahead must not make the rest look old.
    long furthest = Math.min(at.newestBucket, now * 1000) - FURTHEST_BEHIND;
    long oldest = Math.max(slowest(at, expected, silent), furthest) - retentionMicros;
    if (oldest < at.pruneAt) {
      return;
    }
    List<Long> old = new ArrayList<>();
    for (long start : store.starts()) {
      if (start <= oldest && !store.isPending(start)) {
        old.add(start);
      }
    }
    for (long start : old) {
      for (String server : known(start).samples.keySet()) {
        store.removeShare(start, server);
      }
      store.removeBucket(start);
    }
    at.pruneAt = oldest + retentionMicros / 10;
  }

  /** Returns how far the slowest server is that is waited for, microseconds. */
  private static long slowest(
      FilesystemProgress at, Set<String> expected, Predicate<String> silent) {
    Set<String> servers = new TreeSet<>(at.closedUntil.keySet());
    servers.addAll(expected);
    return servers.stream()
        .filter(silent.negate())
        .mapToLong(server -> at.closedUntil.getOrDefault(server, 0L))
        .min()
        .orElse(at.newestBucket);
  }

  private FilesystemBucket known(long start) throws Exception {
    return requireNonNull(store.bucket(start), "a bucket of a file system is not kept");
  }

  private ServerBucket known(long start, String server) throws Exception {
    return requireNonNull(store.share(start, server), "a share of a bucket is not kept");
  }

  /** Forgets everything. */
  public void clear() {
    store.clear();
  }
}
