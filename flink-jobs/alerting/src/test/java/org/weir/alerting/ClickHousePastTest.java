package org.weir.alerting;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.weir.flink.clickhouse.ClickHouseAddress;

/** A server that refuses as ClickHouse does, and then answers that it knows no case. */
class ClickHousePastTest {

  private static final String TOO_MANY_QUERIES = "202";
  private static final String AUTHENTICATION_FAILED = "516";

  private final Deque<String> refusals = new ArrayDeque<>();
  private HttpServer server;
  private int asked;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          asked++;
          exchange.getRequestBody().readAllBytes();
          String refusal = refusals.poll();
          byte[] answer = refusal == null ? noRow() : ("Code: " + refusal).getBytes(UTF_8);
          if (refusal != null) {
            exchange.getResponseHeaders().add("X-ClickHouse-Exception-Code", refusal);
          }
          exchange.getResponseHeaders().add("X-ClickHouse-Format", "RowBinaryWithNamesAndTypes");
          exchange.sendResponseHeaders(refusal == null ? 200 : 500, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  /** One column, no row. */
  private static byte[] noRow() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(1);
    for (String text : List.of("case_id", "String")) {
      out.write(text.length());
      out.writeBytes(text.getBytes(UTF_8));
    }
    return out.toByteArray();
  }

  private void restore() throws InterruptedException {
    String url = "http://127.0.0.1:" + server.getAddress().getPort();
    ClickHouseAddress address = new ClickHouseAddress(url, "writer", "secret", "weir");
    new ClickHousePast(address, Duration.ofDays(10)).of("lab", "ada", Instant.EPOCH);
  }

  @Test
  void aServerThatIsBusyIsAskedAgain() throws Exception {
    refusals.addAll(List.of(TOO_MANY_QUERIES, TOO_MANY_QUERIES, TOO_MANY_QUERIES));
    restore();
    assertThat(asked).isEqualTo(4);
  }

  @Test
  void whatNoRepetitionMendsIsAskedOnce() {
    refusals.add(AUTHENTICATION_FAILED);
    assertThatThrownBy(this::restore).hasStackTraceContaining("516");
    assertThat(asked).isEqualTo(1);
  }
}
