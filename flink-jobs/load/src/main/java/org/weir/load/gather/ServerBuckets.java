package org.weir.load.gather;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;
import org.weir.load.bucket.ServerBucket;
import org.weir.load.sample.Sample;
import org.weir.load.sample.SampleDelta;

/**
 * Puts the samples of a server into buckets, and says which closed ones a sample changes. It knows
 * neither time nor output: these are the operator's.
 */
public final class ServerBuckets {

  /** Width of the buckets in the index while there is no site. */
  private static final long WITHOUT_SITE_MICROS = Duration.ofMinutes(1).toMillis() * 1000;

  private final SampleStore store;
  private final Lateness lateness;
  private final ObjLongConsumer<Sample> tooLong;

  /**
   * Buckets of the samples in a store.
   *
   * @param retentionMicros how far behind the newest sample one is still taken in
   * @param tooLong gets each sample that covers more than a bucket, and the width of that
   */
  public ServerBuckets(SampleStore store, long retentionMicros, ObjLongConsumer<Sample> tooLong) {
    this.store = store;
    this.lateness = new Lateness(retentionMicros);
    this.tooLong = tooLong;
  }

  /** Whether a sample is too late to be counted: see {@link Lateness}. */
  public boolean isTooLate(ServerProgress at, Sample sample) {
    return lateness.isTooLate(at, sample);
  }

  private void keep(Sample sample, ServerProgress at) throws Exception {
    store.put(sample);
    if (sample.time >= at.newestSample) {
      at.newestSample = sample.time;
      at.newestMiddle = sample.middle();
    }
  }

  /** Takes a sample in while nobody knows the site, and so the width of its buckets. */
  public void placeWithoutSite(ServerProgress at, Sample sample) throws Exception {
    keep(sample, at);
    addToIndex(sample, at.bucketMicros == 0 ? WITHOUT_SITE_MICROS : at.bucketMicros);
  }

  /**
   * Takes the sample in; returns the closed buckets that are new or changed, with what was emitted
   * of them before.
   */
  public SortedMap<Long, @Nullable ServerBucket> place(ServerProgress at, Sample sample, long width)
      throws Exception {
    SortedMap<Long, @Nullable ServerBucket> changed = new TreeMap<>();
    long closedBefore = at.closedUntil;
    if (at.bucketMicros != width) {
      keep(sample, at);
      reindex(at, width);
      closedBefore = Long.MIN_VALUE;
    } else {
      // A cumulative sample also gives its successor the value that it lacked.
      long last = sample.time + (sample.cumulative ? SampleDelta.longestStep(sample) : 0);
      long first = bucket(sample.middle(), width);
      for (long bucket = first; bucket <= last && bucket < closedBefore; bucket += width) {
        if (bucket == first || has(bucket)) {
          changed.put(bucket, load(bucket, at));
        }
      }
      keep(sample, at);
      addToIndex(sample, width);
      noteIfTooLong(sample, width);
    }
    at.closedUntil = Math.max(at.closedUntil, bucket(at.newestMiddle, width));
    for (long bucket : indexed(closedBefore, at.closedUntil, width)) {
      changed.put(bucket, flushed(at, bucket));
    }
    return changed;
  }

  /** What was emitted of a bucket while it was open; or null. */
  public static @Nullable ServerBucket flushed(ServerProgress at, long start) {
    ServerBucket bucket = at.flushedBucket;
    return bucket != null && bucket.bucketStart == start ? bucket : null;
  }

  private void addToIndex(Sample sample, long width) throws Exception {
    long bucket = bucket(sample.middle(), width);
    long[] times = store.times(bucket);
    if (times == null) {
      store.putTimes(bucket, new long[] {sample.time});
    } else if (Arrays.binarySearch(times, sample.time) < 0) {
      long[] more = Arrays.copyOf(times, times.length + 1);
      more[times.length] = sample.time;
      Arrays.sort(more);
      store.putTimes(bucket, more);
    }
  }

  /** The first site, or one with another width of buckets: all samples are placed anew. */
  private void reindex(ServerProgress at, long width) throws Exception {
    store.clearIndex();
    at.bucketMicros = width;
    at.flushedBucket = null;
    at.closedUntil = Long.MIN_VALUE;
    for (Sample sample : store.samples()) {
      addToIndex(sample, width);
      noteIfTooLong(sample, width);
    }
  }

  /** Buckets of the index from (inclusive) one time to another. */
  private List<Long> indexed(long from, long to, long width) throws Exception {
    List<Long> found = new ArrayList<>();
    if (from != Long.MIN_VALUE && (to - from) / width <= 1_000) {
      for (long bucket = from; bucket < to; bucket += width) {
        if (has(bucket)) {
          found.add(bucket);
        }
      }
      return found;
    }
    for (Map.Entry<Long, long[]> bucket : store.index()) {
      if (bucket.getKey() >= from && bucket.getKey() < to) {
        found.add(bucket.getKey());
      }
    }
    return found;
  }

  /** Adds the samples of one bucket up; null where none of them gave values. */
  public @Nullable ServerBucket load(long start, ServerProgress at) throws Exception {
    BucketSums sums = new BucketSums();
    ServerBucket bucket = new ServerBucket();
    bucket.sentAt = Long.MAX_VALUE;
    long[] times = store.times(start);
    if (times == null) {
      return null;
    }
    @Nullable Sample previous = null;
    for (long time : times) {
      Sample sample = requireNonNull(store.sample(time), "a sample of the index is not kept");
      if (!spansBuckets(sample, at.bucketMicros)) {
        if (previous == null && sample.cumulative) {
          previous = before(sample, at.bucketMicros);
        }
        sums.add(SampleDelta.of(sample, previous));
        bucket.sentAt = Math.min(bucket.sentAt, sample.sentAt);
      }
      previous = sample;
    }
    if (sums.isEmpty()) {
      return null;
    }
    bucket.cluster = at.cluster;
    bucket.server = at.server;
    bucket.bucketStart = start;
    bucket.bucketSeconds = at.bucketMicros / 1e6;
    bucket.closedUntil = at.closedUntil;
    bucket.begunAt = at.begunAt;
    bucket.origin = at.origin;
    bucket.restarts = sums.restarts();
    sums.fill(bucket);
    return bucket;
  }

  /**
   * Whether what the sample counts happened in several buckets: how much in which is unknown, so
   * none of them has it. A sampler that stalled sends such a sample.
   */
  private static boolean spansBuckets(Sample sample, long width) {
    return sample.intervalSeconds * 1e6 > SampleDelta.LONGEST_STEP_INTERVALS * width;
  }

  /** The sample before, as far back as it may be without a gap; or null. */
  private @Nullable Sample before(Sample sample, long width) throws Exception {
    long earliest = sample.time - SampleDelta.longestStep(sample);
    long first = bucket(earliest - Math.round(sample.intervalSeconds * 1e6), width);
    for (long bucket = bucket(sample.middle(), width); bucket >= first; bucket -= width) {
      long[] times = store.times(bucket);
      if (times == null) {
        continue;
      }
      int last = times.length - 1;
      while (last >= 0 && times[last] >= sample.time) {
        last--;
      }
      if (last >= 0) {
        return store.sample(times[last]);
      }
    }
    return null;
  }

  /** Forgets samples that are too old to be changed; returns how many. */
  public int prune(ServerProgress at) throws Exception {
    if (at.newestSample < at.pruneAt) {
      return 0;
    }
    long oldest = lateness.forgottenUntil(at);
    Map<Long, long[]> old = new HashMap<>();
    for (Map.Entry<Long, long[]> bucket : store.index()) {
      if (bucket.getValue()[0] <= oldest) {
        old.put(bucket.getKey(), bucket.getValue());
      }
    }
    int gone = 0;
    for (Map.Entry<Long, long[]> bucket : old.entrySet()) {
      gone += prune(bucket.getKey(), bucket.getValue(), oldest);
    }
    at.pruneAt = lateness.nextPruneAt(at);
    return gone;
  }

  private int prune(long bucket, long[] times, long oldest) throws Exception {
    int gone = 0;
    while (gone < times.length && times[gone] <= oldest) {
      store.remove(times[gone++]);
    }
    store.putTimes(bucket, Arrays.copyOfRange(times, gone, times.length));
    return gone;
  }

  /** Forgets all samples; returns how many there were. */
  public int forget() throws Exception {
    int gone = 0;
    for (Map.Entry<Long, long[]> bucket : store.index()) {
      gone += bucket.getValue().length;
    }
    store.clear();
    return gone;
  }

  /** Whether a sample lies in the bucket. */
  public boolean has(long bucket) throws Exception {
    return store.times(bucket) != null;
  }

  private void noteIfTooLong(Sample sample, long width) {
    if (spansBuckets(sample, width)) {
      tooLong.accept(sample, width);
    }
  }

  private static long bucket(long time, long width) {
    return Math.floorDiv(time, width) * width;
  }
}
