package org.weir.flink.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.connector.base.sink.writer.ResultHandler;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.weir.flink.clickhouse.FakeClickHouse.Answer;

/** Repetitions of a flush: here they follow at once, and the pauses that it asked for are kept. */
class FlushTest {

  private final List<Long> pausesMillis = new ArrayList<>();
  private final List<InsertFailedException> failures = new ArrayList<>();
  private boolean completed;
  private Exception lastingFailure;
  private Error error;

  private final ResultHandler<Rows> handler =
      new ResultHandler<>() {
        @Override
        public void complete() {
          if (error != null) {
            throw error;
          }
          completed = true;
        }

        @Override
        public void completeExceptionally(Exception failure) {
          lastingFailure = failure;
        }

        @Override
        public void retryForEntries(List<Rows> rows) {
          throw new AssertionError("the flush repeats itself");
        }
      };

  private static Rows rows(String table) {
    return new RowBlock(table).row().set("cluster", "c").build("c", 1_000_000);
  }

  private static SinkLimits limits(Duration longestAnswer) {
    SinkLimits limits = SinkLimits.forResults();
    return new SinkLimits(
        limits.blocksPerFlush(),
        limits.bytesPerFlush(),
        limits.blocksHeld(),
        limits.flushesInFlight(),
        limits.longestWait(),
        limits.firstRetry(),
        limits.longestRetry(),
        longestAnswer);
  }

  /** Runs a flush of a block of each table until it is through, or has failed so often. */
  private void flush(ClickHouseAddress to, SinkLimits limits, int most, String... tables) {
    List<Rows> entries = Stream.of(tables).map(FlushTest::rows).toList();
    List<Flush> again = new ArrayList<>();
    try (InsertClient client = new InsertClient(to, limits.longestAnswer())) {
      again.add(
          new Flush(
              entries,
              handler,
              client,
              new Landings(),
              limits,
              (flush, failure, pause) -> {
                failures.add(failure);
                pausesMillis.add(pause.toMillis());
                again.add(flush);
              }));
      while (!again.isEmpty() && failures.size() < most) {
        again.remove(0).run();
      }
    }
  }

  @Test
  void whileNobodyListensThePausesGrowToTheLongestOne() throws Exception {
    int port;
    try (ServerSocket nobody = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = nobody.getLocalPort();
    }
    flush(
        new ClickHouseAddress("http://127.0.0.1:" + port, "writer", "w", "weir"),
        SinkLimits.forResults(),
        9,
        "findings_versions");
    assertThat(pausesMillis)
        .containsExactly(200L, 400L, 800L, 1600L, 3200L, 6400L, 12_800L, 15_000L, 15_000L);
    assertThat(failures)
        .allMatch(failure -> !failure.isLasting())
        .allMatch(failure -> failure.getMessage().contains("127.0.0.1:" + port));
    assertThat(completed).isFalse();
    assertThat(lastingFailure).isNull();
  }

  @Tag("slow")
  @Test
  void aServerThatDoesNotAnswerIsAskedAgainAfterAPauseThatGrows() throws Exception {
    try (FakeClickHouse server =
        new FakeClickHouse(
            Answer.STORED_THEN_SILENT, Answer.STORED_THEN_SILENT, Answer.STORED_THEN_SILENT)) {
      flush(server.address(), limits(Duration.ofSeconds(2)), 20, "findings_versions");
      assertThat(completed).isTrue();
      // More where this machine is slower than that.
      assertThat(pausesMillis).startsWith(200L, 400L, 800L);
      assertThat(server.inserts()).as("each try once").hasSize(failures.size() + 1);
      assertThat(failures).noneMatch(InsertFailedException::isLasting);
    }
  }

  @Test
  void aTableThatIsAcknowledgedIsNotSentAgainAndTheNextBeginsWithTheFirstPause() throws Exception {
    try (FakeClickHouse server =
        new FakeClickHouse(
            Answer.ERROR_500, Answer.RESET, Answer.OK, Answer.TOO_MANY_PARTS, Answer.OK)) {
      flush(
          server.address(),
          SinkLimits.forResults(),
          20,
          "findings_versions",
          "dead_letters_versions");
      assertThat(completed).isTrue();
      assertThat(pausesMillis).containsExactly(200L, 400L, 200L);
      assertThat(server.inserts()).hasSize(2);
    }
  }

  @Test
  void anErrorOfTheVirtualMachineFailsTheJobInsteadOfBeingWaitedFor() throws Exception {
    error = new OutOfMemoryError("Cannot reserve direct buffer memory");
    try (FakeClickHouse server = new FakeClickHouse(Answer.OK)) {
      flush(server.address(), SinkLimits.forResults(), 1, "findings_versions");
      assertThat(lastingFailure).hasCause(error);
    }
  }
}
