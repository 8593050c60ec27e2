package org.weir.flink.testing;

import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;

/** Collects what a job under test writes, in the test's own process. */
public final class CollectingSink<T> implements Sink<T>, Serializable {

  private static final long serialVersionUID = 1L;
  private static final Map<String, BlockingQueue<Object>> QUEUES = new ConcurrentHashMap<>();

  private final String id = UUID.randomUUID().toString();

  public CollectingSink() {
    QUEUES.put(id, new LinkedBlockingQueue<>());
  }

  @Override
  public SinkWriter<T> createWriter(WriterInitContext context) {
    return new Writer<>(QUEUES.get(id));
  }

  /**
   * Waits until what was collected is enough.
   *
   * @return all of it
   */
  public List<T> await(Predicate<List<T>> enough, Duration longest) throws InterruptedException {
    List<T> collected = new ArrayList<>();
    long end = System.nanoTime() + longest.toNanos();
    while (!enough.test(collected)) {
      Object next = QUEUES.get(id).poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (next == null) {
        throw new AssertionError("Not enough after " + longest + ": " + collected);
      }
      @SuppressWarnings("unchecked")
      T element = (T) next;
      collected.add(element);
    }
    return collected;
  }

  private record Writer<T>(BlockingQueue<Object> queue) implements SinkWriter<T> {
    @Override
    public void write(T element, Context context) {
      queue.add(element);
    }

    @Override
    public void flush(boolean endOfInput) {}

    @Override
    public void close() {}
  }
}
