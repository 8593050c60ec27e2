package org.weir.flink.kafka;

import java.util.BitSet;

/**
 * Tells a single bad message from a deployment that does not fit its topic: a storm is when more
 * than 20 % of 1,000 consecutive messages of a subtask are refused.
 */
final class StormGuard {

  static final int WINDOW = 1_000;
  static final int MOST_REFUSED = WINDOW / 5;

  private final BitSet refused = new BitSet(WINDOW);
  private int next;

  /** Counts one message; true if it makes the storm. */
  boolean isStorm(boolean wasRefused) {
    refused.set(next, wasRefused);
    next = (next + 1) % WINDOW;
    return wasRefused && refused.cardinality() > MOST_REFUSED;
  }
}
