package org.weir.flink.clickhouse;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.weir.wire.PackedColumns;

/**
 * What the block writer makes, read back from the real engine. Needs WEIR_TEST_CLICKHOUSE_URL, with
 * the migrations applied, and the writer's login in WEIR_TEST_CLICKHOUSE_USER and
 * WEIR_TEST_CLICKHOUSE_PASSWORD. Every test writes rows of a cluster of its own.
 */
class ClickHouseEngineE2ECase {

  private static final String URL = System.getenv("WEIR_TEST_CLICKHOUSE_URL");
  private static final String USER =
      System.getenv().getOrDefault("WEIR_TEST_CLICKHOUSE_USER", "writer");
  private static final String PASSWORD =
      System.getenv().getOrDefault("WEIR_TEST_CLICKHOUSE_PASSWORD", "");

  /** Recent, so that no table's TTL takes the rows away. */
  private static final long NOW = Instant.now().getEpochSecond() * 1_000_000L + 678901;

  private static final Duration LONGEST_ANSWER = SinkLimits.forResults().longestAnswer();

  private final String cluster = "test-" + UUID.randomUUID();
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private InsertClient inserts;

  @BeforeEach
  void connect() {
    assertThat(URL).as("WEIR_TEST_CLICKHOUSE_URL, the engine's address").isNotNull();
    inserts = new InsertClient(new ClickHouseAddress(URL, USER, PASSWORD, "weir"), LONGEST_ANSWER);
  }

  @AfterEach
  void close() {
    inserts.close();
  }

  @Test
  void everyColumnOfEveryTableTakesItsDefault() throws Exception {
    for (String name : Table.names()) {
      Table table = Table.named(name);
      if (!table.columns().contains("cluster")) {
        continue; // the pipeline's own metrics, which no job writes
      }
      RowBlock block = new RowBlock(name).row();
      for (String column : table.columns()) {
        Object value = table.type(column).defaultValue();
        boolean isTime = table.type(column).name().startsWith("DateTime64");
        block.set(column, column.equals("cluster") ? cluster : isTime ? Long.valueOf(NOW) : value);
      }
      inserts.insert(List.of(block.build(cluster, 0)));
      assertThat(query("count()", name, "")).as(name).containsExactly("1");
    }
  }

  @Test
  void nullsListsAndMapsComeBack() throws Exception {
    inserts.insert(
        List.of(
            run("a", null, List.of("POSIX", "STDIO"), Map.of("files", "lower_bound", "b", "x")),
            run("b", "ann", List.of(), Map.of())));
    assertThat(
            query(
                "log_id, user, modules, evidence_classes, toUnixTimestamp64Micro(start_time),"
                    + " version, landed_at > now() - 60",
                "runs_versions",
                "ORDER BY log_id"))
        .containsExactly(
            "a\t\\N\t['POSIX','STDIO']\t{'b':'x','files':'lower_bound'}\t"
                + NOW
                + "\t18446744073709551615\t1",
            "b\tann\t[]\t{}\t" + NOW + "\t18446744073709551615\t1");
  }

  private Rows run(
      String logId, String user, List<String> modules, Map<String, String> evidenceClasses) {
    return new RowBlock("runs_versions")
        .row()
        .set("cluster", cluster)
        .set("log_id", logId)
        .set("user", user)
        .set("modules", modules)
        .set("evidence_classes", evidenceClasses)
        .set("start_time", NOW)
        .set("version", -1L)
        .set("is_deleted", 0)
        .build(cluster, 0);
  }

  @Test
  void packedColumnsAreCopiedAsTheyAre() throws Exception {
    Rows rows =
        new NativeBlock(Table.named("posix_records_versions"), 2, 0)
            .constant("cluster", cluster)
            .constant("start_time", NOW)
            .constant("module_version", 4)
            .packed("record_id", PackedColumns.pack(-1L, 7L), 0)
            .packed("POSIX_OPENS", PackedColumns.pack(0L, 0L, 5L, -6L), 2 * Long.BYTES)
            .packed("POSIX_F_READ_TIME", PackedColumns.pack(0.25, -1.5), 0)
            .build(cluster, 0);
    inserts.insert(List.of(rows));
    assertThat(
            query(
                "record_id, POSIX_OPENS, POSIX_F_READ_TIME, POSIX_READS, module_version",
                "posix_records_versions",
                "ORDER BY record_id"))
        .containsExactly("7\t-6\t-1.5\t\\N\t4", "18446744073709551615\t5\t0.25\t\\N\t4");
  }

  @Test
  void anyBytesOfADeadLetterComeBack() throws Exception {
    byte[] bytes = {0, (byte) 0xff, (byte) 0xc3, 39, 10};
    inserts.insert(
        List.of(
            new RowBlock("dead_letters_versions")
                .row()
                .set("cluster", cluster)
                .set("id", "x")
                .set("bytes", ByteBuffer.wrap(bytes))
                .build(cluster, 0)));
    assertThat(query("hex(bytes)", "dead_letters_versions", "")).containsExactly("00FFC3270A");
  }

  @Test
  void aThousandBlocksOfOneRowAreOneInsert() throws Exception {
    List<Rows> blocks = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      blocks.add(run("log" + i, null, List.of(), Map.of()));
    }
    inserts.insert(blocks);
    assertThat(query("count()", "runs_versions", "")).containsExactly("1000");
  }

  @Test
  void aColumnThatIsNotThereFailsForGood() {
    Rows rows = run("a", null, List.of(), Map.of());
    rows.columns[1] = "no_such_column";
    assertThatThrownBy(() -> inserts.insert(List.of(rows)))
        .isInstanceOf(InsertFailedException.class)
        .hasMessageContaining("runs_versions")
        .hasMessageContaining("no_such_column")
        .matches(e -> ((InsertFailedException) e).isLasting());
  }

  @Test
  void aTableThatIsNotThereYetIsWaitedFor() {
    Rows rows = run("a", null, List.of(), Map.of());
    rows.table = "not_there_yet";
    assertThatThrownBy(() -> inserts.insert(List.of(rows)))
        .matches(e -> !((InsertFailedException) e).isLasting());
  }

  @Test
  void aWrongPasswordFailsForGood() {
    try (InsertClient stranger =
        new InsertClient(new ClickHouseAddress(URL, USER, "wrong", "weir"), LONGEST_ANSWER)) {
      assertThatThrownBy(() -> stranger.insert(List.of(run("a", null, List.of(), Map.of()))))
          .matches(e -> ((InsertFailedException) e).isLasting());
    }
  }

  /** Rows of this test's cluster as tab-separated text. */
  private List<String> query(String columns, String table, String rest) throws Exception {
    String sql =
        "SELECT " + columns + " FROM " + table + " WHERE cluster = '" + cluster + "' " + rest;
    String login = Base64.getEncoder().encodeToString((USER + ":" + PASSWORD).getBytes(UTF_8));
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(URL + "/?database=weir&default_format=TSV"))
            .header("Authorization", "Basic " + login)
            .POST(HttpRequest.BodyPublishers.ofString(sql))
            .build();
    HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return response.body().lines().toList();
  }
}
