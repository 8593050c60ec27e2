package org.weir.flink.clickhouse;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.connector.base.sink.writer.ResultHandler;
import org.apache.flink.util.FlinkRuntimeException;

/**
 * One flush of a writer: an insert for each table and column list, in turn. What ClickHouse has
 * acknowledged is not sent again; the rest is repeated without end, because giving up would lose
 * rows and failing the job would only repeat more of them. Only a failure that no repetition mends
 * fails the job.
 */
final class Flush implements Runnable {

  /** Has the flush run again after a pause. */
  interface Again {
    void after(Flush flush, InsertFailedException failure, Duration pause);
  }

  private final Deque<List<Rows>> remaining;
  private final ResultHandler<Rows> handler;
  private final InsertClient client;
  private final Landings landings;
  private final Again again;
  private final Duration longestPause;
  private final Duration firstPause;
  private Duration pause;

  Flush(
      List<Rows> entries,
      ResultHandler<Rows> handler,
      InsertClient client,
      Landings landings,
      SinkLimits limits,
      Again again) {
    this.remaining = new ArrayDeque<>(byTableAndColumns(entries));
    this.handler = handler;
    this.client = client;
    this.landings = landings;
    this.again = again;
    this.firstPause = limits.firstRetry();
    this.longestPause = limits.longestRetry();
    this.pause = firstPause;
  }

  @Override
  public void run() {
    try {
      while (!remaining.isEmpty()) {
        client.insert(remaining.peek());
        landings.note(remaining.poll());
        pause = firstPause;
      }
      handler.complete();
    } catch (InsertFailedException e) {
      failed(e);
    } catch (InterruptedException e) {
      // The writer is closing; what was not acknowledged is sent again after the restart.
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      handler.completeExceptionally(e);
    } catch (Error e) {
      // The thread pool would keep it to itself, and the job would wait for this flush for ever.
      handler.completeExceptionally(new FlinkRuntimeException(e));
    }
  }

  private void failed(InsertFailedException failure) {
    if (failure.isLasting()) {
      handler.completeExceptionally(failure);
      return;
    }
    Duration now = pause;
    Duration doubled = pause.multipliedBy(2);
    pause = doubled.compareTo(longestPause) < 0 ? doubled : longestPause;
    again.after(this, failure, now);
  }

  private static List<List<Rows>> byTableAndColumns(List<Rows> entries) {
    Map<String, List<Rows>> groups = new LinkedHashMap<>();
    for (Rows rows : entries) {
      String key = rows.table + " " + String.join(",", rows.columns);
      groups.computeIfAbsent(key, k -> new ArrayList<>()).add(rows);
    }
    return new ArrayList<>(groups.values());
  }
}
