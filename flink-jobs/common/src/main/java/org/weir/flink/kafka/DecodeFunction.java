package org.weir.flink.kafka;

import org.apache.avro.specific.SpecificRecordBase;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.weir.wire.WireException;

/**
 * Decodes messages of one type. What becomes of one that cannot be decoded, or is refused, {@link
 * Decoder} decides: most often a dead letter, on {@link DeadLetters#TAG}.
 */
public abstract class DecodeFunction<T extends SpecificRecordBase, O>
    extends ProcessFunction<KafkaMessage, O> {

  private static final long serialVersionUID = 1L;

  private final Class<T> type;
  private final String source;
  private transient Decoder<T> decoder;

  /**
   * @param source who refuses: the job's name
   */
  protected DecodeFunction(Class<T> type, String source) {
    this.type = type;
    this.source = source;
  }

  /**
   * Takes a decoded message.
   *
   * @throws WireException to refuse it; then nothing of {@code out} is emitted
   */
  protected abstract void accept(T message, KafkaMessage from, Emissions<O> out)
      throws WireException;

  /**
   * Whether a message without a value deletes its key, as on a compacted topic. It has nothing to
   * decode then; elsewhere it is a mistake, and refused.
   */
  protected boolean isDeletedByKey() {
    return false;
  }

  /** The message's cluster, for its dead letter. */
  protected abstract String clusterOf(T message);

  @Override
  public void open(OpenContext context) throws Exception {
    decoder = new Decoder<>(type, source, this::clusterOf, getRuntimeContext().getMetricGroup());
  }

  @Override
  public final void processElement(KafkaMessage message, Context context, Collector<O> out) {
    if (isDeletedByKey() && message.value == null && message.refused == null) {
      return;
    }
    decoder.decode(
        message, (decoded, emissions) -> accept(decoded, message, emissions), out, context::output);
  }
}
