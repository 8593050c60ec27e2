package org.weir.flink.kafka;

import java.io.IOException;
import java.util.Set;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.KafkaSourceEnumState;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.weir.wire.WireCodec;

/**
 * Reads a topic of one message type with Flink's own source, whose state it shares, and pauses
 * partitions with {@link PausingReader}.
 */
final class PausingSource
    implements Source<KafkaMessage, KafkaPartitionSplit, KafkaSourceEnumState>,
        ResultTypeQueryable<KafkaMessage> {

  private static final long serialVersionUID = 1L;

  private final KafkaSource<KafkaMessage> source;
  private final String messageName;
  private final Set<String> refusedSchemas;

  /**
   * @param messageName of the type, as its schemas' history calls it
   * @param refusedSchemas fingerprints that never pause a partition, in hex
   */
  PausingSource(KafkaSource<KafkaMessage> source, String messageName, Set<String> refusedSchemas) {
    this.source = source;
    this.messageName = messageName;
    this.refusedSchemas = refusedSchemas;
  }

  @Override
  public SourceReader<KafkaMessage, KafkaPartitionSplit> createReader(SourceReaderContext context)
      throws Exception {
    PausingReader reader =
        new PausingReader(
            source.createReader(context), WireCodec.fingerprints(messageName), refusedSchemas);
    context.metricGroup().gauge("partitionsPaused", reader::pausedPartitions);
    return reader;
  }

  @Override
  public Boundedness getBoundedness() {
    return source.getBoundedness();
  }

  @Override
  public SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> createEnumerator(
      SplitEnumeratorContext<KafkaPartitionSplit> context) {
    return source.createEnumerator(context);
  }

  @Override
  public SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> restoreEnumerator(
      SplitEnumeratorContext<KafkaPartitionSplit> context, KafkaSourceEnumState state)
      throws IOException {
    return source.restoreEnumerator(context, state);
  }

  @Override
  public SimpleVersionedSerializer<KafkaPartitionSplit> getSplitSerializer() {
    return source.getSplitSerializer();
  }

  @Override
  public SimpleVersionedSerializer<KafkaSourceEnumState> getEnumeratorCheckpointSerializer() {
    return source.getEnumeratorCheckpointSerializer();
  }

  @Override
  public TypeInformation<KafkaMessage> getProducedType() {
    return source.getProducedType();
  }
}
