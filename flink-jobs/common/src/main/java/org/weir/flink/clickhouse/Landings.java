package org.weir.flink.clickhouse;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The measured delay: one row for each acknowledged insert of a measured table. Rows are sent best
 * effort, at most a few thousand are held, and a failed send is not repeated: a measurement must
 * never hold up what it measures.
 */
final class Landings {

  static final String TABLE = "landings";
  private static final int MOST_HELD = 5_000;

  private final Queue<Landing> waiting = new ConcurrentLinkedQueue<>();

  private record Landing(String cluster, String table, long rows, long oldestSentAt) {}

  /** Notes an acknowledged insert; blocks that carry no Kafka timestamp are not measured. */
  void note(List<Rows> blocks) {
    long oldest = blocks.stream().mapToLong(b -> b.oldestSentAt).filter(t -> t > 0).min().orElse(0);
    if (oldest == 0 || waiting.size() >= MOST_HELD) {
      return;
    }
    Rows first = blocks.get(0);
    long rows = blocks.stream().mapToLong(b -> b.rowCount).sum();
    waiting.add(new Landing(first.cluster, first.table, rows, oldest));
  }

  /** Takes what waits as one block; null if nothing does. */
  @Nullable Rows take() {
    RowBlock block = new RowBlock(TABLE);
    for (Landing landing = waiting.poll(); landing != null; landing = waiting.poll()) {
      block
          .row()
          .set("cluster", landing.cluster)
          .set("table", landing.table)
          .set("rows", landing.rows)
          .set("oldest_sent_at", landing.oldestSentAt);
    }
    return block.isEmpty() ? null : block.build("", 0);
  }
}
