package org.weir.load.gather;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;
import org.weir.load.bucket.ServerBucket;
import org.weir.load.recorded.SamplesInMemory;
import org.weir.load.sample.Columns;
import org.weir.load.sample.Sample;
import org.weir.load.testing.Samples;

/** Places samples without a stream engine; each is of five seconds, a bucket is of ten. */
class ServerBucketsTest {
  private static final long SECOND = 1_000_000;
  private static final long WIDTH = 10 * SECOND;

  private final SamplesInMemory store = new SamplesInMemory();
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
  void aSampleAnHourBehindTheNewestOneIsTooLate() throws Exception {
    assertThat(buckets.isTooLate(at, Samples.of("s1", "a", 5, 1))).isFalse();
    place(3700, 1);
    assertThat(buckets.isTooLate(at, Samples.of("s1", "a", 100, 1))).isTrue();
    assertThat(buckets.isTooLate(at, Samples.of("s1", "a", 105, 1))).isFalse();
  }

  @Test
  void whatIsTooOldIsForgottenAndCounted() throws Exception {
    place(5, 1);
    place(10, 1);
    assertThat(buckets.prune(at)).isZero();
    place(7200, 1);
    assertThat(buckets.prune(at)).isEqualTo(2);
    assertThat(store.samples()).hasSize(1);
    assertThat(buckets.forget()).isEqualTo(1);
    assertThat(store.index()).isEmpty();
  }
}
