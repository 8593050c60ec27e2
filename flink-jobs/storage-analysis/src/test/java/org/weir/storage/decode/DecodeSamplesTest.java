package org.weir.storage.decode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.streaming.util.ProcessFunctionTestHarnesses;
import org.junit.jupiter.api.Test;
import org.weir.flink.kafka.DeadLetters;
import org.weir.flink.kafka.KafkaMessage;
import org.weir.flink.kafka.Topics;
import org.weir.load.sample.DeviceIds;
import org.weir.load.sample.Sample;
import org.weir.wire.DeadLetter;
import org.weir.wire.DeviceSample;
import org.weir.wire.PackedColumns;
import org.weir.wire.WireCodec;

class DecodeSamplesTest {

  /** 2026-01-01 00:00:00 UTC, microseconds. */
  private static final long T0 = 1_767_225_600_000_000L;

  private static final Map<String, UnaryOperator<DeviceSample.Builder>> REFUSED =
      Map.of(
          "no devices", bad -> bad.setDeviceIds(List.of()).setDeviceNames(List.of()),
          "differ in length", bad -> bad.setDeviceNames(List.of("sda")),
          "occurs twice", bad -> bad.setDeviceIds(List.of("a", "a")),
          "a zero byte in a device id", bad -> bad.setDeviceIds(List.of("a\0", "b")),
          "columns [speed, reads]", bad -> bad.setColumns(List.of("speed", "reads")),
          "interval of 0.0 seconds", bad -> bad.setIntervalSeconds(0),
          "to a day after the message", bad -> bad.setTime(T0 + 86_400_000_001L),
          "from the year 2000", bad -> bad.setTime(946_684_799_999_999L),
          "expected 32 bytes", bad -> bad.setValues(PackedColumns.pack(1.0, 2.0, 3.0)));

  /** Two devices; their bytes written are 5 and 6, their reads 7 and 8. */
  private static DeviceSample.Builder sample() {
    return DeviceSample.newBuilder()
        .setCluster("c")
        .setServer("s1")
        .setTime(T0)
        .setIntervalSeconds(5)
        .setDeviceIds(List.of("wwn-ä", "b"))
        .setDeviceNames(List.of("sda", "sdb"))
        .setColumns(List.of("bytes_written", "reads"))
        .setValues(PackedColumns.pack(5.0, 6.0, 7.0, 8.0))
        .setOrigin("live");
  }

  private static KafkaMessage message(DeviceSample.Builder sample) {
    byte[] value = WireCodec.of(DeviceSample.class).encode(sample.build());
    return new KafkaMessage(Topics.DEVICE_SAMPLE, 0, 0, T0, value);
  }

  private static OneInputStreamOperatorTestHarness<KafkaMessage, Sample> decoded(
      KafkaMessage message) throws Exception {
    var harness = ProcessFunctionTestHarnesses.forProcessFunction(new DecodeSamples());
    harness.processElement(message, 0);
    return harness;
  }

  @Test
  void aSampleHasTheColumnsInItsOwnOrderAndTheIdsAsTheyWere() throws Exception {
    try (var harness = decoded(message(sample()))) {
      Sample sample = harness.extractOutputValues().get(0);
      assertThat(DeviceIds.unpack(sample.devices)).containsExactly("wwn-ä", "b");
      double none = Double.NaN;
      assertThat(sample.values)
          .containsExactly(
              7, none, none, 5, none, none, none, none, 8, none, none, 6, none, none, none, none);
      assertThat(harness.getSideOutput(DeadLetters.TAG)).isNullOrEmpty();
    }
  }

  @Test
  void aSampleThatContradictsItselfIsADeadLetterThatSaysWhy() throws Exception {
    for (var bad : REFUSED.entrySet()) {
      try (var harness = decoded(message(bad.getValue().apply(sample())))) {
        assertThat(harness.extractOutputValues()).isEmpty();
        byte[] letter = harness.getSideOutput(DeadLetters.TAG).remove().getValue().value;
        assertThat(WireCodec.of(DeadLetter.class).decode(letter).getReason())
            .contains("sample of server s1")
            .contains(bad.getKey());
      }
    }
  }
}
