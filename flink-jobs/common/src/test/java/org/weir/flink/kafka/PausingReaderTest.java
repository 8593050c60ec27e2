package org.weir.flink.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.InputStatus;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.weir.wire.Published;
import org.weir.wire.WireCodec;

class PausingReaderTest {

  private static final long KNOWN = 0x1122334455667788L;
  private static final long NEWER = 0x99AABBCCDDEEFF00L;
  private static final String NEWER_HEX = "00ffeeddccbbaa99";

  private final Partitions partitions = new Partitions();
  private final List<KafkaMessage> taken = new ArrayList<>();
  private PausingReader reader = new PausingReader(partitions, Set.of(KNOWN), Set.of());

  private void send(int partition, long offset, String key, long fingerprint) throws Exception {
    byte[] value =
        ByteBuffer.allocate(10)
            .order(ByteOrder.LITTLE_ENDIAN)
            .put((byte) 0xC3)
            .put((byte) 1)
            .putLong(fingerprint)
            .array();
    partitions.next = new KafkaMessage("topic", partition, offset, 1_000 * offset, value);
    partitions.next.key = key;
    reader.pollNext(new Taken());
  }

  private List<Long> state() {
    return reader.snapshotState(1).stream().map(KafkaPartitionSplit::getStartingOffset).toList();
  }

  @Test
  void manySourcesOfAnUnknownSchemaPauseTheirPartitionAlone() throws Exception {
    send(0, 100, "a", KNOWN);
    for (int i = 0; i < UnknownSchemas.MANY_SOURCES; i++) {
      send(0, 101 + 2 * i, "source " + i, NEWER);
      send(0, 102 + 2 * i, "a", KNOWN);
      send(1, 500 + i, "b", KNOWN);
    }
    assertThat(reader.pausedPartitions()).isEqualTo(1);
    assertThat(partitions.paused).containsExactly("topic-0");
    assertThat(state()).containsExactly(101L, 510L);
    int before = taken.size();
    send(0, 300, "a", KNOWN);
    assertThat(taken).hasSize(before);
    send(1, 510, "b", KNOWN);
    assertThat(taken).hasSize(before + 1);
    assertThat(taken.stream().filter(message -> message.refused != null))
        .singleElement()
        .satisfies(message -> assertThat(message.refused).contains(NEWER_HEX, "offset 101"));
  }

  @Test
  void nothingIsCommittedThatAPausedPartitionWouldLose() throws Exception {
    reader.notifyCheckpointComplete(1);
    for (int i = 0; i < UnknownSchemas.MANY_SOURCES; i++) {
      send(0, i, "source " + i, NEWER);
    }
    reader.notifyCheckpointComplete(2);
    assertThat(partitions.committed).containsExactly(1L);
  }

  @Test
  void whoeverKnowsTheSchemaReadsOn() throws Exception {
    reader = new PausingReader(partitions, Set.of(KNOWN, NEWER), Set.of());
    for (int i = 0; i < 100; i++) {
      send(0, i, "source " + i, NEWER);
    }
    assertThat(reader.pausedPartitions()).isZero();
    assertThat(taken).hasSize(100);
  }

  @Test
  void oneSourceOrManySchemasOrARefusedSchemaPauseNothing() throws Exception {
    for (int i = 0; i < 1_000; i++) {
      send(0, i, "bad", NEWER);
      send(0, i, "source " + i, 1_000 + i);
    }
    reader = new PausingReader(partitions, Set.of(KNOWN), Set.of(NEWER_HEX));
    for (int i = 0; i < 1_000; i++) {
      send(0, i, "source " + i, NEWER);
    }
    assertThat(reader.pausedPartitions()).isZero();
    assertThat(taken).hasSize(3_000);
  }

  @Test
  void bytesOfNoSchemaPauseNothing() throws Exception {
    for (int i = 0; i < 1_000; i++) {
      partitions.next = new KafkaMessage("topic", 0, i, i, i % 2 == 0 ? null : new byte[i % 12]);
      partitions.next.key = "source " + i;
      reader.pollNext(new Taken());
    }
    assertThat(taken).hasSize(1_000);
  }

  @Test
  void fingerprintsAreThoseOfTheMessagesThemselves() {
    byte[] message = WireCodec.of(Published.class).encode(new Published("site", 1, "{}"));
    assertThat(WireCodec.fingerprints("Published"))
        .contains(WireCodec.fingerprint(message).orElseThrow());
  }

  /** Two partitions as Flink's reader hands them out, one message a poll. */
  private static final class Partitions implements SourceReader<KafkaMessage, KafkaPartitionSplit> {
    private final long[] position = new long[2];
    private final List<String> paused = new ArrayList<>();
    private final List<Long> committed = new ArrayList<>();
    private KafkaMessage next;

    @Override
    public InputStatus pollNext(ReaderOutput<KafkaMessage> output) {
      output.createOutputForSplit("topic-" + next.partition).collect(next, next.sentAt);
      position[next.partition] = next.offset + 1;
      return InputStatus.MORE_AVAILABLE;
    }

    @Override
    public List<KafkaPartitionSplit> snapshotState(long checkpointId) {
      return List.of(
          new KafkaPartitionSplit(new TopicPartition("topic", 0), position[0]),
          new KafkaPartitionSplit(new TopicPartition("topic", 1), position[1]));
    }

    @Override
    public void pauseOrResumeSplits(Collection<String> toPause, Collection<String> toResume) {
      paused.addAll(toPause);
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) {
      committed.add(checkpointId);
    }

    @Override
    public void start() {}

    @Override
    public CompletableFuture<Void> isAvailable() {
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public void addSplits(List<KafkaPartitionSplit> splits) {}

    @Override
    public void notifyNoMoreSplits() {}

    @Override
    public void close() {}
  }

  private final class Taken implements ReaderOutput<KafkaMessage> {
    @Override
    public void collect(KafkaMessage message) {
      taken.add(message);
    }

    @Override
    public void collect(KafkaMessage message, long timestamp) {
      taken.add(message);
    }

    @Override
    public SourceOutput<KafkaMessage> createOutputForSplit(String split) {
      return this;
    }

    @Override
    public void releaseOutputForSplit(String split) {}

    @Override
    public void emitWatermark(Watermark watermark) {}

    @Override
    public void markIdle() {}

    @Override
    public void markActive() {}
  }
}
