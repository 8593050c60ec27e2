package org.weir.job.join;

import java.util.Map;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;

/** Keeps values in Flink's state: of the key that is worked on at the moment. */
record KeptInState<T>(MapState<String, T> state) implements Kept<T> {

  static <T> KeptInState<T> of(RuntimeContext context, String name, Class<T> type) {
    return new KeptInState<>(
        context.getMapState(
            new MapStateDescriptor<>(name, Types.STRING, TypeInformation.of(type))));
  }

  @Override
  public T get(String name) throws Exception {
    return state.get(name);
  }

  @Override
  public void put(String name, T value) throws Exception {
    state.put(name, value);
  }

  @Override
  public Iterable<Map.Entry<String, T>> entries() throws Exception {
    return state.entries();
  }

  @Override
  public void clear() {
    state.clear();
  }
}
