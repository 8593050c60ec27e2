package org.weir.flink.kafka;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.InputStatus;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.weir.wire.WireCodec;

/**
 * Reads partitions until {@link UnknownSchemas} says that one of them is ahead of this job. Then
 * its reading stops, and its state is the offset of the first message that could not be read: a
 * later job that knows the schema goes on from there and nothing is lost, one that does not pauses
 * again. The other partitions go on.
 */
final class PausingReader implements SourceReader<KafkaMessage, KafkaPartitionSplit> {

  private static final Logger LOG = LoggerFactory.getLogger(PausingReader.class);

  private final SourceReader<KafkaMessage, KafkaPartitionSplit> reader;
  private final Set<Long> known;
  private final Set<String> refused;
  private final UnknownSchemas unknown = new UnknownSchemas();
  private final Map<String, Long> paused = new HashMap<>();
  private final List<String> toPause = new ArrayList<>();
  private @Nullable Output output;

  /**
   * @param known fingerprints of the schemas that can be read
   * @param refused fingerprints of those whose messages are only refused, in hex
   */
  PausingReader(
      SourceReader<KafkaMessage, KafkaPartitionSplit> reader,
      Set<Long> known,
      Set<String> refused) {
    this.reader = reader;
    this.known = known;
    this.refused = refused;
  }

  int pausedPartitions() {
    return paused.size();
  }

  @Override
  public InputStatus pollNext(ReaderOutput<KafkaMessage> to) throws Exception {
    if (output == null || output.to != to) {
      output = new Output(to);
    }
    InputStatus status = reader.pollNext(output);
    if (!toPause.isEmpty()) {
      reader.pauseOrResumeSplits(List.copyOf(toPause), List.of());
      toPause.clear();
    }
    return status;
  }

  /** Tells whether to hand a message on: those of a paused partition are read again later. */
  private boolean passes(String partition, KafkaMessage message) {
    if (paused.containsKey(partition)) {
      return false;
    }
    OptionalLong fingerprint = WireCodec.fingerprint(message.value);
    if (fingerprint.isEmpty() || known.contains(fingerprint.getAsLong())) {
      return true;
    }
    String schema = WireCodec.hex(fingerprint.getAsLong());
    if (!refused.contains(schema)) {
      unknown
          .note(fingerprint.getAsLong(), message)
          .ifPresent(offset -> pause(partition, offset, schema, message));
    }
    return true;
  }

  private void pause(String partition, long offset, String schema, KafkaMessage message) {
    paused.put(partition, offset);
    toPause.add(partition);
    message.refused =
        "Reading of "
            + partition
            + " pauses at offset "
            + offset
            + ": at least "
            + UnknownSchemas.MANY_SOURCES
            + " sources sent messages of the unknown schema "
            + schema
            + ". Start a job that knows it; or, if no such schema exists, have the jobs refuse its"
            + " messages: kafka.refused.schemas="
            + schema;
    LOG.error("{}", message.refused);
  }

  @Override
  public List<KafkaPartitionSplit> snapshotState(long checkpointId) {
    List<KafkaPartitionSplit> splits = new ArrayList<>();
    for (KafkaPartitionSplit split : reader.snapshotState(checkpointId)) {
      Long offset = paused.get(split.splitId());
      splits.add(
          offset == null ? split : new KafkaPartitionSplit(split.getTopicPartition(), offset));
    }
    return splits;
  }

  /**
   * Commits nothing while a partition is paused: what was read of it beyond its state is behind.
   */
  @Override
  public void notifyCheckpointComplete(long checkpointId) throws Exception {
    if (paused.isEmpty()) {
      reader.notifyCheckpointComplete(checkpointId);
    }
  }

  @Override
  public void notifyCheckpointAborted(long checkpointId) throws Exception {
    reader.notifyCheckpointAborted(checkpointId);
  }

  @Override
  public void start() {
    reader.start();
  }

  @Override
  public CompletableFuture<Void> isAvailable() {
    return reader.isAvailable();
  }

  @Override
  public void addSplits(List<KafkaPartitionSplit> splits) {
    reader.addSplits(splits);
  }

  @Override
  public void notifyNoMoreSplits() {
    reader.notifyNoMoreSplits();
  }

  @Override
  public void handleSourceEvents(SourceEvent event) {
    reader.handleSourceEvents(event);
  }

  @Override
  public void close() throws Exception {
    reader.close();
  }

  /** Hands everything on. */
  private static class Forwarding<T extends SourceOutput<KafkaMessage>>
      implements SourceOutput<KafkaMessage> {
    final T to;

    Forwarding(T to) {
      this.to = to;
    }

    @Override
    public void collect(KafkaMessage message) {
      to.collect(message);
    }

    @Override
    public void collect(KafkaMessage message, long timestamp) {
      to.collect(message, timestamp);
    }

    @Override
    public void emitWatermark(Watermark watermark) {
      to.emitWatermark(watermark);
    }

    @Override
    public void markIdle() {
      to.markIdle();
    }

    @Override
    public void markActive() {
      to.markActive();
    }
  }

  private final class Output extends Forwarding<ReaderOutput<KafkaMessage>>
      implements ReaderOutput<KafkaMessage> {

    Output(ReaderOutput<KafkaMessage> to) {
      super(to);
    }

    @Override
    public SourceOutput<KafkaMessage> createOutputForSplit(String partition) {
      return new PartitionOutput(partition, to.createOutputForSplit(partition));
    }

    @Override
    public void releaseOutputForSplit(String partition) {
      to.releaseOutputForSplit(partition);
    }
  }

  private final class PartitionOutput extends Forwarding<SourceOutput<KafkaMessage>> {
    private final String partition;

    PartitionOutput(String partition, SourceOutput<KafkaMessage> to) {
      super(to);
      this.partition = partition;
    }

    @Override
    public void collect(KafkaMessage message) {
      if (passes(partition, message)) {
        super.collect(message);
      }
    }

    @Override
    public void collect(KafkaMessage message, long timestamp) {
      if (passes(partition, message)) {
        super.collect(message, timestamp);
      }
    }
  }
}
