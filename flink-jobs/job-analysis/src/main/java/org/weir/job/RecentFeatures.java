package org.weir.job;

import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.weir.analysis.RunFeatures;

/**
 * Reads features, and keeps those read last: a run is evaluated several times within seconds, and
 * reading them takes half as long as judging. Not serializable: build it in open().
 */
final class RecentFeatures {

  private static final int KEPT = 64;

  private final Map<ByteBuffer, RunFeatures> kept =
      new LinkedHashMap<>(2 * KEPT, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<ByteBuffer, RunFeatures> eldest) {
          return size() > KEPT;
        }
      };

  RunFeatures of(RunSummary run) {
    return kept.computeIfAbsent(ByteBuffer.wrap(run.features), bytes -> run.readFeatures());
  }
}
