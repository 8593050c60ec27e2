package org.weir.flink.clickhouse;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.connector.base.sink.writer.AsyncSinkWriter;
import org.apache.flink.connector.base.sink.writer.BufferedRequestState;
import org.apache.flink.connector.base.sink.writer.ElementConverter;
import org.apache.flink.connector.base.sink.writer.ResultHandler;
import org.apache.flink.connector.base.sink.writer.config.AsyncSinkWriterConfiguration;
import org.apache.flink.metrics.Counter;
import org.apache.flink.util.concurrent.ExecutorThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One subtask of {@link ClickHouseSink}. */
final class ClickHouseWriter extends AsyncSinkWriter<Rows, Rows> {

  private static final Logger LOG = LoggerFactory.getLogger(ClickHouseWriter.class);
  private static final Duration LANDINGS_EVERY = Duration.ofSeconds(2);

  /** A flush repeats until it succeeds, so the base class must not give up on it meanwhile. */
  private static final long NO_REQUEST_TIMEOUT_MS = Duration.ofDays(3650).toMillis();

  private final InsertClient client;
  private final SinkLimits limits;
  private final ScheduledThreadPoolExecutor threads;
  private final Landings landings = new Landings();
  private final Counter retries;

  ClickHouseWriter(
      ElementConverter<Rows, Rows> converter,
      WriterInitContext context,
      ClickHouseAddress address,
      SinkLimits limits,
      Collection<BufferedRequestState<Rows>> recovered) {
    super(converter, context, configuration(limits), recovered);
    this.limits = limits;
    this.client = new InsertClient(address, limits.longestAnswer());
    this.retries = context.metricGroup().counter("insertRetries");
    this.threads =
        new ScheduledThreadPoolExecutor(
            limits.flushesInFlight() + 1, new ExecutorThreadFactory("clickhouse-insert"));
    long millis = LANDINGS_EVERY.toMillis();
    threads.scheduleWithFixedDelay(this::sendLandings, millis, millis, TimeUnit.MILLISECONDS);
  }

  private static AsyncSinkWriterConfiguration configuration(SinkLimits limits) {
    return AsyncSinkWriterConfiguration.builder()
        .setMaxBatchSize(limits.blocksPerFlush())
        .setMaxBatchSizeInBytes(limits.bytesPerFlush())
        .setMaxInFlightRequests(limits.flushesInFlight())
        .setMaxBufferedRequests(limits.blocksHeld())
        .setMaxTimeInBufferMS(limits.longestWait().toMillis())
        .setMaxRecordSizeInBytes(limits.bytesPerFlush())
        .setRequestTimeoutMS(NO_REQUEST_TIMEOUT_MS)
        .setFailOnTimeout(false)
        .build();
  }

  @Override
  protected void submitRequestEntries(List<Rows> entries, ResultHandler<Rows> handler) {
    threads.execute(new Flush(entries, handler, client, landings, limits, this::again));
  }

  private void again(Flush flush, InsertFailedException failure, Duration pause) {
    retries.inc();
    LOG.warn("{}; repeated in {} ms", failure.getMessage(), pause.toMillis());
    if (!threads.isShutdown()) {
      threads.schedule(flush, pause.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  @Override
  protected long getSizeInBytes(Rows rows) {
    return rows.block.length;
  }

  @Override
  public void flush(boolean endOfInput) throws InterruptedException {
    super.flush(endOfInput);
    if (endOfInput) {
      sendLandings();
    }
  }

  private void sendLandings() {
    Rows rows = landings.take();
    if (rows == null) {
      return;
    }
    try {
      client.insert(List.of(rows));
    } catch (InsertFailedException e) {
      LOG.warn("{} measurements of delay are lost: {}", rows.rowCount, e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    super.close();
    threads.shutdownNow();
    client.close();
  }
}
