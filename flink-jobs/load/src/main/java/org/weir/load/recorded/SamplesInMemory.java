package org.weir.load.recorded;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.weir.load.gather.SampleStore;
import org.weir.load.sample.Sample;

/** Keeps the samples of one server on the heap. */
public final class SamplesInMemory implements SampleStore {
  private final TreeMap<Long, Sample> samples = new TreeMap<>();
  private final TreeMap<Long, long[]> index = new TreeMap<>();

  @Override
  public @Nullable Sample sample(long time) {
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
  public long @Nullable [] times(long bucket) {
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
