package org.weir.flink.testing;

import java.util.stream.StreamSupport;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.runtime.state.heap.HeapKeyedStateBackend;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;

/** What an operator under test still keeps. */
public final class KeyedState {

  private KeyedState() {}

  /** Keyed state entries; a map counts once for each key that has one. */
  public static int entries(AbstractStreamOperatorTestHarness<?> harness) {
    var operator = (AbstractStreamOperator<?>) harness.getOperator();
    return ((HeapKeyedStateBackend<?>) operator.getKeyedStateBackend()).numKeyValueStateEntries();
  }

  /** Entries of a key's map. */
  public static <K, V> long entries(
      AbstractStreamOperatorTestHarness<?> harness, String key, MapStateDescriptor<K, V> map)
      throws Exception {
    var operator = (AbstractStreamOperator<?>) harness.getOperator();
    operator.setCurrentKey(key);
    var state =
        operator
            .<String>getKeyedStateBackend()
            .getPartitionedState(VoidNamespace.INSTANCE, VoidNamespaceSerializer.INSTANCE, map);
    return StreamSupport.stream(state.keys().spliterator(), false).count();
  }
}
