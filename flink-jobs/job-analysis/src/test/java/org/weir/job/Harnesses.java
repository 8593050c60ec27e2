package org.weir.job;

import java.time.Duration;
import java.util.List;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.api.operators.co.CoBroadcastWithKeyedOperator;
import org.apache.flink.streaming.api.operators.co.CoBroadcastWithNonKeyedOperator;
import org.apache.flink.streaming.util.BroadcastOperatorTestHarness;
import org.apache.flink.streaming.util.KeyedBroadcastOperatorTestHarness;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.weir.flink.clickhouse.Rows;
import org.weir.flink.kafka.KafkaMessage;
import org.weir.job.assemble.Assemble;
import org.weir.job.assemble.LogPart;
import org.weir.job.baseline.BaselineJoin;
import org.weir.job.control.Control;
import org.weir.job.control.JobSettings;
import org.weir.job.decode.DecodeLogs;
import org.weir.job.join.JobInput;
import org.weir.job.join.JobJoin;
import org.weir.job.load.LoadAnswer;
import org.weir.job.load.LoadInput;
import org.weir.job.load.LoadJoin;
import org.weir.job.load.LoadMerge;
import org.weir.job.load.LoadPart;
import org.weir.job.run.RunSummary;

/** The operators of the job, each alone. Processing time starts at one second. */
public final class Harnesses {

  public static final JobSettings SETTINGS =
      new JobSettings(
          Duration.ofSeconds(60),
          Duration.ofSeconds(30),
          Duration.ofHours(5),
          Duration.ofHours(1),
          Duration.ofSeconds(30),
          Duration.ofDays(3),
          Duration.ofDays(1),
          Duration.ofHours(1),
          Duration.ofMinutes(10),
          Duration.ofDays(180),
          Duration.ofMillis(500),
          Duration.ofDays(9));

  private Harnesses() {}

  public static BroadcastOperatorTestHarness<KafkaMessage, KafkaMessage, LogPart> decodeLogs()
      throws Exception {
    return decodeLogs(Messages.control());
  }

  public static BroadcastOperatorTestHarness<KafkaMessage, KafkaMessage, LogPart> decodeLogs(
      List<KafkaMessage> control) throws Exception {
    var harness =
        new BroadcastOperatorTestHarness<>(
            new CoBroadcastWithNonKeyedOperator<>(
                new DecodeLogs(() -> control), List.of(Control.DESCRIPTOR)),
            128,
            1,
            0);
    harness.open();
    return harness;
  }

  public static KeyedOneInputStreamOperatorTestHarness<String, RunSummary, RunSummary>
      baselineJoin() throws Exception {
    var harness =
        new KeyedOneInputStreamOperatorTestHarness<>(
            new KeyedProcessOperator<>(new BaselineJoin(SETTINGS)),
            (RunSummary run) -> run.application == null ? run.logId : run.application,
            Types.STRING,
            128,
            1,
            0);
    harness.open();
    return harness;
  }

  public static KeyedBroadcastOperatorTestHarness<String, LogPart, KafkaMessage, RunSummary>
      assemble() throws Exception {
    return assemble(Messages.control());
  }

  public static KeyedBroadcastOperatorTestHarness<String, LogPart, KafkaMessage, RunSummary>
      assemble(List<KafkaMessage> control) throws Exception {
    return assemble(control, null);
  }

  /** With the state of a savepoint; null for none. */
  public static KeyedBroadcastOperatorTestHarness<String, LogPart, KafkaMessage, RunSummary>
      assemble(List<KafkaMessage> control, OperatorSubtaskState state) throws Exception {
    var harness =
        new KeyedBroadcastOperatorTestHarness<>(
            new CoBroadcastWithKeyedOperator<>(
                new Assemble(() -> control, SETTINGS), List.of(Control.DESCRIPTOR)),
            (LogPart part) -> part.logId,
            Types.STRING,
            128,
            1,
            0);
    if (state != null) {
      harness.initializeState(state);
    }
    harness.open();
    harness.setProcessingTime(1_000);
    return harness;
  }

  public static KeyedOneInputStreamOperatorTestHarness<String, LoadInput, LoadPart> loadJoin()
      throws Exception {
    var harness =
        new KeyedOneInputStreamOperatorTestHarness<>(
            new KeyedProcessOperator<>(new LoadJoin(SETTINGS)),
            (LoadInput input) -> input.key,
            Types.STRING);
    harness.open();
    harness.setProcessingTime(1_000);
    return harness;
  }

  public static KeyedOneInputStreamOperatorTestHarness<String, LoadPart, LoadAnswer> loadMerge()
      throws Exception {
    var harness =
        new KeyedOneInputStreamOperatorTestHarness<>(
            new KeyedProcessOperator<>(new LoadMerge(SETTINGS)),
            (LoadPart part) -> part.logId,
            Types.STRING);
    harness.open();
    return harness;
  }

  public static KeyedBroadcastOperatorTestHarness<String, JobInput, KafkaMessage, Rows> jobJoin()
      throws Exception {
    return jobJoin(Messages.control());
  }

  public static KeyedBroadcastOperatorTestHarness<String, JobInput, KafkaMessage, Rows> jobJoin(
      List<KafkaMessage> control) throws Exception {
    return jobJoin(control, null);
  }

  /** With the state of a savepoint; null for none. */
  public static KeyedBroadcastOperatorTestHarness<String, JobInput, KafkaMessage, Rows> jobJoin(
      List<KafkaMessage> control, OperatorSubtaskState state) throws Exception {
    var harness =
        new KeyedBroadcastOperatorTestHarness<>(
            new CoBroadcastWithKeyedOperator<>(
                new JobJoin(() -> control, SETTINGS), List.of(Control.DESCRIPTOR)),
            (JobInput input) -> input.cluster + "/" + input.jobId,
            Types.STRING,
            128,
            1,
            0);
    if (state != null) {
      harness.initializeState(state);
    }
    harness.open();
    harness.setProcessingTime(1_000);
    return harness;
  }
}
