package org.weir.load.gather;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.weir.load.sample.Sample;

/**
 * Keeps the samples of one server by their time, and the times of each bucket in an index: to go
 * through all samples would read all of their values.
 */
public interface SampleStore {

  /** Returns the sample of this time, microseconds; null if there is none. */
  @Nullable Sample sample(long time) throws Exception;

  Iterable<Sample> samples() throws Exception;

  void put(Sample sample) throws Exception;

  void remove(long time) throws Exception;

  /** Returns the times of a bucket's samples, ascending; null if it has none. */
  long @Nullable [] times(long bucket) throws Exception;

  /** Returns the start of each bucket with its times. */
  Iterable<Map.Entry<Long, long[]>> index() throws Exception;

  /** Replaces the times of a bucket; without any the bucket leaves the index. */
  void putTimes(long bucket, long[] times) throws Exception;

  void clearIndex();

  /** Forgets all samples. */
  void clear();
}
