package org.weir.job.decode;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.streaming.util.BroadcastOperatorTestHarness;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.weir.flink.clickhouse.Rows;
import org.weir.flink.kafka.DeadLetters;
import org.weir.flink.kafka.KafkaMessage;
import org.weir.flink.kafka.Topics;
import org.weir.flink.testing.ReadRows;
import org.weir.job.Harnesses;
import org.weir.job.Messages;
import org.weir.job.assemble.LogPart;
import org.weir.wire.DeadLetter;
import org.weir.wire.LogBatch;
import org.weir.wire.PackedColumns;
import org.weir.wire.WireCodec;

class DecodeLogsTest {

  private BroadcastOperatorTestHarness<KafkaMessage, KafkaMessage, LogPart> harness;

  @BeforeEach
  void open() throws Exception {
    harness = Harnesses.decodeLogs();
  }

  @AfterEach
  void close() throws Exception {
    harness.close();
  }

  private void send(KafkaMessage message) throws Exception {
    harness.processElement(message, 0);
  }

  private List<String> refusals() throws Exception {
    List<String> reasons = new ArrayList<>();
    var letters = harness.getSideOutput(DeadLetters.TAG);
    if (letters != null) {
      for (var letter : letters) {
        reasons.add(WireCodec.of(DeadLetter.class).decode(letter.getValue().value).getReason());
      }
    }
    return reasons;
  }

  @Test
  void aBatchBecomesRowsAndSums() throws Exception {
    send(Messages.part("log", Messages.batch(0, 7)));
    Rows rows = harness.getSideOutput(DecodeLogs.ROWS).peek().getValue();
    assertThat(rows.table).isEqualTo("posix_records_versions");
    assertThat(rows.rowCount).isEqualTo(1);
    assertThat(rows.columns).contains("POSIX_OPENS", "record_id", "origin");
    assertThat(harness.extractOutputValues()).hasSize(1);
    assertThat(refusals()).isEmpty();
  }

  @Test
  void lustreStripesBecomeRows() throws Exception {
    LogBatch batch = Messages.batch(0, 7);
    batch.setModule("LUSTRE");
    batch.setIntNames(
        List.of(
            "LUSTRE_COMP_STRIPE_SIZE",
            "LUSTRE_COMP_STRIPE_COUNT",
            "COMPONENT",
            "STRIPE",
            "OST_ID"));
    batch.setInts(PackedColumns.pack(1L << 20, 1L, 0L, 0L, 14L));
    batch.setFloatNames(List.of());
    batch.setFloats(PackedColumns.pack(new double[0]));
    send(Messages.part("log", batch));
    assertThat(refusals()).isEmpty();
    Rows rows = harness.getSideOutput(DecodeLogs.ROWS).peek().getValue();
    assertThat(ReadRows.of(List.of(rows), "lustre_stripes_versions"))
        .singleElement(InstanceOfAssertFactories.MAP)
        .containsEntry("OST_ID", 14L)
        .containsEntry("LUSTRE_COMP_STRIPE_COUNT", 1L)
        .doesNotContainKey("LUSTRE_COMP_FLAGS");
    assertThat(harness.extractOutputValues()).hasSize(1);
  }

  @Test
  void aLogThatReplacesAnotherHidesItsRecords() throws Exception {
    send(Messages.part("whole", Messages.header("partial")));
    send(Messages.part("whole", Messages.header(null)));
    send(Messages.part("whole", Messages.header("whole")));
    assertThat(harness.getSideOutput(DecodeLogs.ROWS)).hasSize(1);
    Rows rows = harness.getSideOutput(DecodeLogs.ROWS).peek().getValue();
    assertThat(ReadRows.of(List.of(rows), "superseded_logs_versions"))
        .singleElement(InstanceOfAssertFactories.MAP)
        .containsEntry("log_id", "partial")
        .containsEntry("superseded_by", "whole");
  }

  @Test
  void anotherModuleIsRefusedWithItsName() throws Exception {
    LogBatch batch = Messages.batch(0, 7);
    batch.setModule("MDHIM");
    send(Messages.part("log", batch));
    assertThat(refusals()).singleElement().asString().contains("MDHIM");
    assertThat(harness.extractOutputValues()).isEmpty();
  }

  @Test
  void tracesAreRefusedBecauseTheyAreNotPublished() throws Exception {
    LogBatch batch = Messages.batch(0, 7);
    batch.setModule("DXT_POSIX");
    send(Messages.part("log", batch));
    assertThat(refusals()).singleElement().asString().contains("DXT_POSIX");
    assertThat(harness.getSideOutput(DecodeLogs.ROWS)).isNull();
  }

  @Test
  void aCounterThatTheTableLacksIsRefusedWithItsName() throws Exception {
    LogBatch batch = Messages.batch(0, 7);
    batch.setIntNames(List.of("POSIX_OPENS", "POSIX_WRITES", "POSIX_NEW"));
    send(Messages.part("log", batch));
    assertThat(refusals()).singleElement().asString().contains("POSIX_NEW");
  }

  @Test
  void aCounterCannotTakeTheNameOfAnIdentityColumn() throws Exception {
    LogBatch batch = Messages.batch(0, 7);
    batch.setIntNames(List.of("POSIX_OPENS", "POSIX_WRITES", "job_id"));
    send(Messages.part("log", batch));
    assertThat(refusals()).singleElement().asString().contains("job_id");
  }

  @Test
  void columnsThatDoNotFitTheRowsAreRefused() throws Exception {
    LogBatch batch = Messages.batch(0, 7);
    batch.setInts(ByteBuffer.allocate(7));
    send(Messages.part("log", batch));
    assertThat(refusals()).hasSize(1);
    assertThat(harness.getSideOutput(DecodeLogs.ROWS)).isNull();
  }

  @Test
  void aDamagedMessageDoesNoHarmToItsNeighbors() throws Exception {
    byte[] damaged = Messages.part("log", Messages.batch(0, 7)).value;
    damaged[20] ^= 0x55;
    send(new KafkaMessage(Topics.DARSHAN_LOG, 3, 17, 5, new byte[] {1, 2, 3}));
    send(new KafkaMessage(Topics.DARSHAN_LOG, 3, 18, 5, null));
    send(Messages.part("log", Messages.batch(1, 7)));
    assertThat(refusals()).hasSize(2);
    assertThat(harness.extractOutputValues()).extracting(p -> p.number).containsExactly(1);
  }

  @Test
  void aStartOutOfAllBoundsIsRefused() throws Exception {
    LogBatch batch = Messages.batch(0, 7);
    batch.setStartTime(Long.MAX_VALUE);
    send(Messages.part("log", batch));
    assertThat(refusals()).singleElement().asString().contains("start_time");
  }
}
