package org.weir.load.gather;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.weir.load.bucket.FilesystemLoad;
import org.weir.load.bucket.ServerBucket;
import org.weir.load.sample.Columns;

/** Gathers shares without a stream engine; a bucket is of ten seconds. */
class FilesystemBucketsTest {
  private static final long SECOND = 1_000_000;
  private static final Set<String> EXPECTED = Set.of("s1", "s2");

  private final SharesInMemory store = new SharesInMemory();
  private final FilesystemBuckets buckets = new FilesystemBuckets(store, 600 * SECOND);
  private final FilesystemProgress at = new FilesystemProgress();

  private SortedSet<Long> take(
      String server, long bucket, double bytes, long samples, long closedUntil) throws Exception {
    ServerBucket share = new ServerBucket();
    share.cluster = "c";
    share.filesystem = "fs";
    share.server = server;
    share.bucketStart = bucket * SECOND;
    share.bucketSeconds = 10;
    share.deviceIds = new String[] {"of " + server};
    share.sums = new double[Columns.COUNT];
    share.sums[Columns.BYTES_READ] = bytes;
    share.sampledSeconds = new double[] {10};
    share.samples = samples;
    share.closedUntil = closedUntil * SECOND;
    share.origin = "live";
    long now = bucket * 1_000;
    FilesystemBuckets.note(at, share, now);
    return buckets.take(at, share, EXPECTED, now);
  }

  private FilesystemLoad load(long bucket) throws Exception {
    return buckets.load(bucket * SECOND, at, EXPECTED, new LinkedHashMap<>());
  }

  @Test
  void aBucketIsDueOnceEveryServerHasClosedIt() throws Exception {
    assertThat(take("s1", 100, 1, 2, 110)).isEmpty();
    assertThat(take("s2", 100, 2, 2, 110)).containsExactly(100 * SECOND);
    assertThat(load(100).sums[Columns.BYTES_READ]).isEqualTo(1 + 2);
    assertThat(load(100).closedUntil).isEqualTo(110 * SECOND);
  }

  @Test
  void anEmittedBucketIsDueAgainOnlyIfItHasGrown() throws Exception {
    take("s1", 100, 1, 2, 110);
    take("s2", 100, 2, 2, 110);
    load(100);
    assertThat(take("s2", 100, 2, 2, 110)).isEmpty();
    assertThat(take("s2", 100, 5, 3, 110)).containsExactly(100 * SECOND);
    assertThat(load(100).sums[Columns.BYTES_READ]).isEqualTo(1 + 5);
  }

  @Test
  void aBucketThatWaitsSaysSinceWhen() throws Exception {
    assertThat(buckets.firstWaiting()).isNull();
    take("s1", 100, 1, 2, 110);
    assertThat(buckets.firstWaiting()).isEqualTo(100_000);
    assertThat(buckets.waitingSince(99_999)).isEmpty();
    assertThat(buckets.waitingSince(100_000)).containsExactly(100 * SECOND);
    load(100);
    assertThat(buckets.firstWaiting()).isNull();
  }

  @Test
  void whatNoServerCanChangeIsForgotten() throws Exception {
    for (long bucket = 100; bucket <= 5_000; bucket += 100) {
      take("s1", bucket, 1, 2, bucket + 10);
      take("s2", bucket, 1, 2, bucket + 10);
      load(bucket);
      buckets.prune(at, EXPECTED, server -> false, bucket * 1_000);
    }
    assertThat(store.buckets.firstKey()).isBetween(4_200 * SECOND, 4_500 * SECOND);
    assertThat(store.shares.keySet()).hasSize(2 * store.buckets.size());
  }

  @Test
  void aSlowServersBucketsAreKeptUnlessItIsSilent() throws Exception {
    take("s2", 100, 1, 2, 110);
    for (long bucket = 100; bucket <= 5_000; bucket += 100) {
      take("s1", bucket, 1, 2, bucket + 10);
      load(bucket);
    }
    buckets.prune(at, EXPECTED, server -> false, 5_000_000);
    assertThat(store.buckets).hasSize(50);
    buckets.prune(at, EXPECTED, "s2"::equals, 5_000_000);
    assertThat(store.buckets.firstKey()).isGreaterThan(4_000 * SECOND);
  }

  /** Keeps shares on the heap. */
  private static final class SharesInMemory implements ShareStore {
    private final TreeMap<Long, FilesystemBucket> buckets = new TreeMap<>();
    private final TreeMap<String, ServerBucket> shares = new TreeMap<>();
    private final TreeMap<Long, Long> pending = new TreeMap<>();

    @Override
    public FilesystemBucket bucket(long start) {
      return buckets.get(start);
    }

    @Override
    public void putBucket(long start, FilesystemBucket bucket) {
      buckets.put(start, bucket);
    }

    @Override
    public void removeBucket(long start) {
      buckets.remove(start);
    }

    @Override
    public Iterable<Long> starts() {
      return buckets.keySet();
    }

    @Override
    public ServerBucket share(long start, String server) {
      return shares.get(start + server);
    }

    @Override
    public void putShare(ServerBucket share) {
      shares.put(share.bucketStart + share.server, share);
    }

    @Override
    public void removeShare(long start, String server) {
      shares.remove(start + server);
    }

    @Override
    public Iterable<Map.Entry<Long, Long>> pending() {
      return pending.entrySet();
    }

    @Override
    public boolean isPending(long start) {
      return pending.containsKey(start);
    }

    @Override
    public void putPending(long start, long arrival) {
      pending.put(start, arrival);
    }

    @Override
    public void removePending(long start) {
      pending.remove(start);
    }

    @Override
    public void clear() {
      buckets.clear();
      shares.clear();
      pending.clear();
    }
  }
}
