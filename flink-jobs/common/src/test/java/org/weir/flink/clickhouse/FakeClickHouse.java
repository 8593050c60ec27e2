package org.weir.flink.clickhouse;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;

/** An HTTP server that takes inserts like ClickHouse, after it has misbehaved as it was told. */
final class FakeClickHouse implements AutoCloseable {

  /** What to do with a request. */
  enum Answer {
    OK,
    ERROR_500,
    TOO_MANY_PARTS,
    RESET,
    /** The rows are stored, but the client never hears of it. */
    STORED_THEN_RESET,
    /** Likewise, and the connection stays open: the server is slow, or the network swallows all. */
    STORED_THEN_SILENT,
    WRONG_COLUMN
  }

  /** An insert that was stored. */
  record Insert(String statement, byte[] body) {}

  private final HttpServer server;
  private final Queue<Answer> script = new ConcurrentLinkedQueue<>();
  private final List<Insert> inserts = new CopyOnWriteArrayList<>();
  private final CountDownLatch closed = new CountDownLatch(1);

  FakeClickHouse(Answer... script) throws IOException {
    this.script.addAll(List.of(script));
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newCachedThreadPool());
    server.createContext("/", this::handle);
    server.start();
  }

  ClickHouseAddress address() {
    return new ClickHouseAddress(
        "http://127.0.0.1:" + server.getAddress().getPort(), "writer", "w", "weir");
  }

  List<Insert> inserts() {
    return new ArrayList<>(inserts);
  }

  boolean hasPlayedItsScript() {
    return script.isEmpty();
  }

  private void handle(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    String query = exchange.getRequestURI().getRawQuery();
    Answer answer = script.isEmpty() ? Answer.OK : script.poll();
    boolean stored =
        switch (answer) {
          case OK, STORED_THEN_RESET, STORED_THEN_SILENT -> true;
          default -> false;
        };
    if (stored) {
      inserts.add(new Insert(URLDecoder.decode(query, StandardCharsets.UTF_8), body));
    }
    switch (answer) {
      case OK -> respond(exchange, 200, 0, "");
      case ERROR_500 -> respond(exchange, 500, 0, "down for maintenance");
      case TOO_MANY_PARTS ->
          respond(exchange, 500, 252, "Code: 252. DB::Exception: Too many parts");
      case WRONG_COLUMN -> respond(exchange, 404, 16, "Code: 16. DB::Exception: No such column x");
      case STORED_THEN_SILENT -> awaitClose();
      case RESET, STORED_THEN_RESET -> exchange.close();
    }
  }

  private void awaitClose() {
    try {
      closed.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void respond(HttpExchange exchange, int status, int code, String text)
      throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (code != 0) {
      exchange.getResponseHeaders().add("X-ClickHouse-Exception-Code", Integer.toString(code));
    }
    exchange.getResponseHeaders().add("X-ClickHouse-Summary", "{\"written_rows\":\"1\"}");
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
  }
}
