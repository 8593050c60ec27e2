package org.weir.storage.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.weir.storage.Samples;
import org.weir.storage.bucket.ServerBucket;
import org.weir.storage.sample.Columns;
import org.weir.storage.sample.Sample;

/** Places samples without a stream engine; each is of five seconds, a bucket is of ten. */
class ServerBucketsTest {
  private static final long SECOND = 1_000_000;
  private static final long WIDTH = 10 * SECOND;

  private final HeapStore store = new HeapStore();
  private final List<Sample> tooLong = new ArrayList<>();
  private final ServerBuckets buckets =
      new ServerBuckets(store, 3600 * SECOND, (sample, width) -> tooLong.add(sample));
  private final ServerProgress at = new ServerProgress();

  private SortedMap<Long, ServerBucket> place(long second, double bytesWritten) throws Exception {
    return buckets.place(at, Samples.of("s1", "a", second, bytesWritten), WIDTH);
  }

  private double written(long bucketSecond) throws Exception {
    return buckets.load(bucketSecond * SECOND, at).totals()[Columns.BYTES_WRITTEN];
  }

  @Test
  void aBucketClosesWithTheFirstSampleOfALaterOne() throws Exception {
    assertThat(place(5, 1)).isEmpty();
    assertThat(place(10, 2)).isEmpty();
    assertThat(place(15, 4)).containsOnlyKeys(0L);
    assertThat(written(0)).isEqualTo(1 + 2);
    assertThat(at.closedUntil).isEqualTo(WIDTH);
  }

  @Test
  void aLateSampleChangesItsBucketAndSaysWhatWasEmittedOfIt() throws Exception {
    place(5, 1);
    place(25, 4);
    SortedMap<Long, ServerBucket> changed = place(10, 2);
    assertThat(changed).containsOnlyKeys(0L);
    assertThat(changed.get(0L).totals()[Columns.BYTES_WRITTEN]).isEqualTo(1);
    assertThat(written(0)).isEqualTo(1 + 2);
  }

  @Test
  void withTheSiteAllThatWaitedIsPlaced() throws Exception {
    buckets.placeWithoutSite(at, Samples.of("s1", "a", 5, 1));
    buckets.placeWithoutSite(at, Samples.of("s1", "a", 15, 2));
    assertThat(place(25, 4)).containsOnlyKeys(0L, WIDTH);
    assertThat(written(10)).isEqualTo(2);
  }

  @Test
  void aSampleOfSeveralBucketsGivesNoLoad() throws Exception {
    Sample stalled = Samples.of("s1", "a", 40, 7);
    stalled.intervalSeconds = 20;
    buckets.place(at, stalled, WIDTH);
    place(55, 1);
    assertThat(tooLong).containsExactly(stalled);
    assertThat(buckets.load(3 * WIDTH, at)).isNull();
  }

  @Test
  void whatIsTooOldIsForgottenAndCounted() throws Exception {
    place(5, 1);
    place(10, 1);
    assertThat(buckets.prune(at)).isZero();
    place(7200, 1);
    assertThat(buckets.prune(at)).isEqualTo(2);
    assertThat(store.samples).hasSize(1);
    assertThat(buckets.forget()).isEqualTo(1);
    assertThat(store.index).isEmpty();
  }

  /** Keeps samples on the heap. */
  private static final class HeapStore implements SampleStore {
    private final TreeMap<Long, Sample> samples = new TreeMap<>();
    private final TreeMap<Long, long[]> index = new TreeMap<>();

    @Override
    public Sample sample(long time) {
      return samples.get(time);
    }

    @Override
    public Iterable<Sample> samples() {
      return samples.values();
    }

    @Override
    public void put(Sample sample) {
      samples.put(sample.time, sample);
    }

    @Override
    public void remove(long time) {
      samples.remove(time);
    }

    @Override
    public long[] times(long bucket) {
      return index.get(bucket);
    }

    @Override
    public Iterable<Map.Entry<Long, long[]>> index() {
      return index.entrySet();
    }

    @Override
    public void putTimes(long bucket, long[] times) {
      if (times.length == 0) {
        index.remove(bucket);
      } else {
        index.put(bucket, times);
      }
    }

    @Override
    public void clearIndex() {
      index.clear();
    }

    @Override
    public void clear() {
      samples.clear();
      index.clear();
    }
  }
}
