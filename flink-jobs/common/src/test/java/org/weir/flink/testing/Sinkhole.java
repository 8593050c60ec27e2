package org.weir.flink.testing;

import com.sun.management.OperatingSystemMXBean;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.weir.flink.clickhouse.ClickHouseAddress;

/**
 * A ClickHouse that acknowledges every insert and keeps nothing, so that a benchmark times the
 * whole sink but not the database. Tells when the last insert of rows was over; those of
 * measurements of delay, which go on by themselves, do not count.
 */
public final class Sinkhole implements AutoCloseable {

  private static final OperatingSystemMXBean CPU =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  /**
   * A moment.
   *
   * @param nanos on the clock of this process
   * @param cpuNanos processor time of this process
   */
  public record Moment(long nanos, long cpuNanos) {

    public static Moment now() {
      return new Moment(System.nanoTime(), CPU.getProcessCpuTime());
    }
  }

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private Moment last;

  public Sinkhole() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::take);
    server.start();
  }

  public ClickHouseAddress address() {
    return new ClickHouseAddress(
        "http://127.0.0.1:" + server.getAddress().getPort(), "writer", "w", "weir");
  }

  /** Waits until no insert has come for so long, and returns when the last was over. */
  public synchronized Moment awaitQuiet(Duration quiet) throws InterruptedException {
    while (last == null || System.nanoTime() - last.nanos < quiet.toNanos()) {
      wait(quiet.toMillis());
    }
    return last;
  }

  private void take(HttpExchange exchange) throws IOException {
    exchange.getRequestBody().transferTo(OutputStream.nullOutputStream());
    exchange.getResponseHeaders().add("X-ClickHouse-Summary", "{\"written_rows\":\"1\"}");
    exchange.sendResponseHeaders(200, -1);
    exchange.close();
    if (!exchange.getRequestURI().getQuery().contains("landings")) {
      taken();
    }
  }

  private synchronized void taken() {
    last = Moment.now();
    notifyAll();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
