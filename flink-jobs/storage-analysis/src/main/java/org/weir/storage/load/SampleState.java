package org.weir.storage.load;

import java.util.Map;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.weir.load.gather.SampleStore;
import org.weir.load.sample.Sample;

/** Keeps a server's samples in Flink's state: of the key that is worked on at the moment. */
final class SampleState implements SampleStore {

  /** By time. */
  static final MapStateDescriptor<Long, Sample> SAMPLES =
      new MapStateDescriptor<>("samples-by-time", Types.LONG, TypeInformation.of(Sample.class));

  /** Start of a bucket to the times of its samples, ascending. */
  static final MapStateDescriptor<Long, long[]> INDEX =
      new MapStateDescriptor<>(
          "times-by-bucket", Types.LONG, PrimitiveArrayTypeInfo.LONG_PRIMITIVE_ARRAY_TYPE_INFO);

  private final MapState<Long, Sample> samples;
  private final MapState<Long, long[]> index;

  SampleState(RuntimeContext context) {
    samples = context.getMapState(SAMPLES);
    index = context.getMapState(INDEX);
  }

  @Override
  public Sample sample(long time) throws Exception {
    return samples.get(time);
  }

  @Override
  public Iterable<Sample> samples() throws Exception {
    return samples.values();
  }

  @Override
  public void put(Sample sample) throws Exception {
    samples.put(sample.time, sample);
  }

  @Override
  public void remove(long time) throws Exception {
    samples.remove(time);
  }

  @Override
  public long[] times(long bucket) throws Exception {
    return index.get(bucket);
  }

  @Override
  public Iterable<Map.Entry<Long, long[]>> index() throws Exception {
    return index.entries();
  }

  @Override
  public void putTimes(long bucket, long[] times) throws Exception {
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
