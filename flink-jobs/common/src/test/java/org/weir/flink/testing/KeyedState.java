package org.weir.flink.testing;

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
}
