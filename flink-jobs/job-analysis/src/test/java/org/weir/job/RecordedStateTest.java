package org.weir.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.util.OperatorSnapshotUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.weir.flink.testing.ReadRows;
import org.weir.job.assemble.LogPart;
import org.weir.job.assemble.LogParts;
import org.weir.job.join.JobInput;
import org.weir.job.join.JobInputs;
import org.weir.job.run.RunSummary;

/**
 * Savepoints that older versions of the job took go on in this one. The folder state holds what
 * they took of the same inputs; record a new one once, with {@code
 * -Drecord=src/test/resources/state} and its number in {@link #NEWEST}, whenever the state has got
 * another shape, and never change what is recorded.
 */
class RecordedStateTest {

  private static final int NEWEST = 1;

  /** The sum of what each of 17 batches opened. */
  private static final double OPENS = 17 * 18 / 2;

  @TempDir Path folder;

  private static List<LogPart> parts() throws Exception {
    return LogParts.of(Messages.log("log", LongStream.rangeClosed(1, 17).toArray()));
  }

  private OperatorSubtaskState recorded(String name) throws Exception {
    Path file = folder.resolve(name);
    try (InputStream in = RecordedStateTest.class.getResourceAsStream("/state/" + name)) {
      Files.copy(in, file);
    }
    return OperatorSnapshotUtil.readStateHandle(file.toString());
  }

  /** All batches are there, 16 of them added up, the last one apart; the end is not. */
  @ParameterizedTest
  @ValueSource(ints = NEWEST)
  void aLogIsPutTogether(int version) throws Exception {
    var savepoint = recorded("assemble-" + version);
    try (var assemble = Harnesses.assemble(Messages.control(), savepoint)) {
      assemble.processElement(parts().get(18), 0);
      RunSummary run = assemble.extractOutputValues().get(0);
      assertThat(run.readFeatures().value("opens")).isEqualTo(OPENS);
      assertThat(run.readFeatures().value("bytes_written")).isEqualTo(17 << 20);
    }
  }

  /** A run has been written as waiting, before its scheduler's record and its load came. */
  @ParameterizedTest
  @ValueSource(ints = NEWEST)
  void aRunIsJudged(int version) throws Exception {
    var savepoint = recorded("job-join-" + version);
    try (var join = Harnesses.jobJoin(Messages.control(), savepoint)) {
      join.processElement(JobInputs.submit(3), 0);
      JobInput load = JobInputs.load("log", 17);
      join.processElement(load, 0);
      join.setProcessingTime(5_000);
      Map<String, Object> run = ReadRows.of(join.extractOutputValues(), "runs_versions").get(0);
      assertThat(run)
          .containsEntry("user", "ann")
          .containsEntry("load_state", "closed")
          .containsEntry("opens", (long) OPENS)
          .containsEntry("findings", List.of("many_opens"));
    }
  }

  @Test
  @EnabledIfSystemProperty(named = "record", matches = ".+")
  void record() throws Exception {
    Path to = Path.of(System.getProperty("record"));
    try (var assemble = Harnesses.assemble();
        var join = Harnesses.jobJoin()) {
      for (LogPart part : parts().subList(0, 18)) {
        assemble.processElement(part, 0);
      }
      write(assemble.snapshot(1, 1), to.resolve("assemble-" + NEWEST));
      assemble.processElement(parts().get(18), 0);
      join.processElement(JobInput.ofRun(assemble.extractOutputValues().get(0)), 0);
      join.setProcessingTime(2_000);
      write(join.snapshot(1, 1), to.resolve("job-join-" + NEWEST));
    }
  }

  private static void write(OperatorSubtaskState savepoint, Path file) throws Exception {
    OperatorSnapshotUtil.writeStateHandle(savepoint, file.toString());
  }
}
