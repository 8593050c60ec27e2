package org.weir.flink.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.ExceptionUtils;
import org.junit.jupiter.api.Test;
import org.weir.flink.clickhouse.FakeClickHouse.Answer;
import org.weir.flink.testing.ReadRows;

/** The sink in a job of its own against a server that misbehaves first. */
class ClickHouseSinkITCase {

  private static final Duration LONGEST_ANSWER = Duration.ofSeconds(30);

  private static final int BLOCKS = 300;

  private static SinkLimits limits(Duration longestAnswer) {
    return new SinkLimits(
        10,
        1 << 20,
        20,
        2,
        Duration.ofMillis(50),
        Duration.ofMillis(5),
        Duration.ofMillis(50),
        longestAnswer);
  }

  private static void run(FakeClickHouse server, Duration longestAnswer) throws Exception {
    Configuration configuration = new Configuration();
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
    configuration.set(PipelineOptions.GENERIC_TYPES, false);
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.getExecutionEnvironment(configuration);
    env.setParallelism(1);
    List<Rows> rows = new ArrayList<>();
    for (int i = 0; i < BLOCKS; i++) {
      rows.add(i % 2 == 0 ? letter("letter-" + i) : finding("finding-" + i));
    }
    env.fromData(rows).sinkTo(new ClickHouseSink(server.address(), limits(longestAnswer)));
    env.execute();
  }

  private static Rows letter(String id) {
    return new RowBlock("dead_letters_versions")
        .row()
        .set("cluster", "c")
        .set("id", id)
        .set("bytes", "")
        .build("c", 1_000_000);
  }

  private static Rows finding(String id) {
    return new RowBlock("findings_versions")
        .row()
        .set("cluster", "c")
        .set("rule_id", id)
        .build("c", 2_000_000);
  }

  /** Identities in the inserts that were stored. */
  private static Set<String> stored(FakeClickHouse server) {
    Set<String> stored = new TreeSet<>();
    for (FakeClickHouse.Insert insert : server.inserts()) {
      String table = insert.statement().contains("findings_versions") ? "rule_id" : "id";
      for (var row : ReadRows.readAll(insert.body())) {
        if (row.containsKey(table)) {
          stored.add(row.get(table).toString());
        }
      }
    }
    return stored;
  }

  @Test
  void nothingIsLostWhateverTheServerDoesFirst() throws Exception {
    try (FakeClickHouse server =
        new FakeClickHouse(
            Answer.ERROR_500,
            Answer.RESET,
            Answer.OK,
            Answer.TOO_MANY_PARTS,
            Answer.STORED_THEN_RESET,
            Answer.STORED_THEN_SILENT,
            Answer.TOO_MANY_PARTS,
            Answer.OK,
            Answer.RESET,
            Answer.ERROR_500)) {
      run(server, Duration.ofSeconds(3));
      assertThat(server.hasPlayedItsScript()).isTrue();
      assertThat(stored(server)).hasSize(BLOCKS).contains("letter-0", "finding-299");
    }
  }

  @Test
  void blocksOfOneTableTravelTogetherAndTheirDelayIsMeasured() throws Exception {
    try (FakeClickHouse server = new FakeClickHouse()) {
      run(server, LONGEST_ANSWER);
      assertThat(server.inserts()).hasSizeLessThan(BLOCKS / 2);
      List<FakeClickHouse.Insert> landings =
          server.inserts().stream().filter(i -> i.statement().contains(Landings.TABLE)).toList();
      long rows =
          landings.stream()
              .flatMap(i -> ReadRows.readAll(i.body()).stream())
              .mapToLong(row -> (Long) row.get("rows"))
              .sum();
      assertThat(rows).isEqualTo(BLOCKS);
    }
  }

  @Test
  void aTableThatDoesNotFitFailsTheJobWithTheReason() throws Exception {
    try (FakeClickHouse server = new FakeClickHouse(Answer.OK, Answer.WRONG_COLUMN)) {
      assertThatThrownBy(() -> run(server, LONGEST_ANSWER))
          .matches(
              e ->
                  ExceptionUtils.findThrowableWithMessage(e, "No such column x").isPresent()
                      && ExceptionUtils.findThrowableWithMessage(e, "Insert into").isPresent());
    }
  }
}
