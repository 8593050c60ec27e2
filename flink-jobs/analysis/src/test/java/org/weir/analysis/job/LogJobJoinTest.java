package org.weir.analysis.job;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.weir.analysis.job.LogJobJoin.Join;
import org.weir.analysis.job.LogJobJoin.Log;
import org.weir.analysis.job.LogJobJoin.State;
import org.weir.analysis.job.LogJobJoin.Submit;

class LogJobJoinTest {
  private static final long MINUTE = 60_000_000;
  private static final Submit FIRST = new Submit("first", 1_000L, 100 * MINUTE, 160 * MINUTE);

  private static Log log(long minute) {
    return new Log(minute * MINUTE, 1_000, 1_000L, "strict");
  }

  private static Join join(long minute, Submit... submits) {
    return LogJobJoin.join(log(minute), List.of(submits), true);
  }

  private static void assertJoined(Join join, String jobUid) {
    assertThat(join).isEqualTo(new Join(State.JOINED, jobUid, ""));
  }

  @Test
  void withinTheJobAndTenMinutesBesideIt() {
    assertJoined(join(130, FIRST), "first");
    assertJoined(join(90, FIRST), "first");
    assertJoined(join(170, FIRST), "first");
    for (long minute : new long[] {89, 171}) {
      assertThat(join(minute, FIRST).state()).isEqualTo(State.NOT_JOINABLE);
      assertThat(join(minute, FIRST).reason()).contains("outside of every job of this id");
    }
  }

  /**
   * Python's tests read them too: agents look for logs, and repair finds runs, by the same edges.
   */
  @Test
  void theVectorsHold() throws IOException {
    JsonNode vectors =
        new JsonMapper().readTree(LogJobJoinTest.class.getResourceAsStream("/vectors/join.json"));
    assertThat(vectors).hasSizeGreaterThan(3);
    for (JsonNode vector : vectors) {
      Submit submit =
          new Submit("one", 1_000L, micros(vector, "job_start"), micros(vector, "job_end"));
      Log log = new Log(micros(vector, "log_start"), 1_000, 1_000L, "strict");
      assertThat(LogJobJoin.join(log, List.of(submit), true).state())
          .as(vector.path("what").asText())
          .isEqualTo(vector.path("joins").asBoolean() ? State.JOINED : State.NOT_JOINABLE);
    }
  }

  private static long micros(JsonNode vector, String seconds) {
    return vector.path(seconds).asLong() * 1_000_000;
  }

  @Test
  void aRunningJobIsOpen() {
    assertJoined(join(9_999, new Submit("runs", 1_000L, 100 * MINUTE, null)), "runs");
  }

  @Test
  void aPendingSubmitDidNotWriteIt() {
    Submit pending = new Submit("pending", 1_000L, null, null);
    assertThat(join(130, pending).state()).isEqualTo(State.NOT_JOINABLE);
    assertJoined(join(130, pending, FIRST), "first");
  }

  @Test
  void aRequeuedOrReusedIdJoinsTheSubmitThatHoldsIt() {
    Submit again = new Submit("again", 1_000L, 165 * MINUTE, 200 * MINUTE);
    assertJoined(join(159, again, FIRST), "first");
    assertJoined(join(166, FIRST, again), "again");
    Join between = join(163, FIRST, again);
    assertThat(between.state()).isEqualTo(State.AMBIGUOUS);
    assertThat(between.jobUid()).isNull();
    assertThat(between.reason()).startsWith("2 submits");
  }

  @Test
  void theSecondInWhichARequeuedSubmitEndedIsStillItsOwn() {
    long second = 1_000_000;
    Submit first = new Submit("first", 1_000L, 0L, 43 * second); // ran until 43.7
    Submit again = new Submit("again", 1_000L, 47 * second, 48 * second);
    for (long millis : new long[] {43_200, 43_999}) {
      Log late = new Log(millis * 1_000, 1_000, 1_000L, "strict");
      assertJoined(LogJobJoin.join(late, List.of(first, again), true), "first");
    }
    Log between = new Log(44 * second, 1_000, 1_000L, "strict");
    assertThat(LogJobJoin.join(between, List.of(first, again), true).state())
        .isEqualTo(State.AMBIGUOUS);
  }

  @Test
  void tasksOfAnArrayThatShareIdAndTimeAreAmbiguous() {
    Submit task = new Submit("task 2", 1_000L, 100 * MINUTE, 160 * MINUTE);
    assertThat(join(130, FIRST, task).state()).isEqualTo(State.AMBIGUOUS);
    Submit another = new Submit("task 3", 1_001L, 100 * MINUTE, 160 * MINUTE);
    assertJoined(join(130, FIRST, another), "first");
  }

  @Test
  void aProcessIdThatIsAlsoAJobIdIsNoMatch() {
    Submit stranger = new Submit("stranger", 2_000L, 100 * MINUTE, 160 * MINUTE);
    Join join = join(130, stranger);
    assertThat(join.state()).isEqualTo(State.NOT_JOINABLE);
    assertThat(join.reason()).contains("uid 1000").contains("uid 2000");
    assertThat(join(130, new Submit("unknown", null, 100 * MINUTE, null)).state())
        .isEqualTo(State.NOT_JOINABLE);
    assertThat(join(130).reason()).contains("it may be a process id");
  }

  @Test
  void waitsWhileASubmitMayStillCome() {
    assertThat(LogJobJoin.join(log(130), List.of(), false).state()).isEqualTo(State.WAITING);
    assertThat(LogJobJoin.join(log(300), List.of(FIRST), false).state()).isEqualTo(State.WAITING);
  }

  @Test
  void aLogThatAnotherUserWroteIsQuarantined() {
    Log forged = new Log(130 * MINUTE, 1_000, 6_666L, "strict");
    Join join = LogJobJoin.join(forged, List.of(FIRST), true);
    assertThat(join.state()).isEqualTo(State.QUARANTINED);
    assertThat(join.reason()).contains("uid 6666");
    Log unknown = new Log(130 * MINUTE, 1_000, null, "strict");
    assertThat(LogJobJoin.join(unknown, List.of(FIRST), true).state()).isEqualTo(State.QUARANTINED);
    Log archive = new Log(130 * MINUTE, 1_000, 6_666L, "trusted_archive");
    assertJoined(LogJobJoin.join(archive, List.of(FIRST), true), "first");
  }
}
