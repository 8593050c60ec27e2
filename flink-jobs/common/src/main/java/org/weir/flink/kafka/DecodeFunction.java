package org.weir.flink.kafka;

import org.apache.avro.specific.SpecificRecordBase;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.weir.wire.WireCodec;
import org.weir.wire.WireException;

/**
 * Decodes messages of one type. A message that cannot be decoded, or that the subclass refuses,
 * becomes a dead letter and its neighbours go on; a storm of them ends the job for good, because
 * then the job or its input is wrong and would only empty the topic into the dead letters.
 */
public abstract class DecodeFunction<T extends SpecificRecordBase, O>
    extends ProcessFunction<KafkaMessage, O> {

  private static final long serialVersionUID = 1L;

  private final Class<T> type;
  private final String source;
  private transient WireCodec<T> codec;
  private transient DeadLetters deadLetters;
  private transient StormGuard guard;

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
   * @throws WireException to refuse it, before anything was emitted for it
   */
  protected abstract void accept(T message, KafkaMessage from, Context context, Collector<O> out)
      throws WireException;

  /** The message's cluster, for its dead letter. */
  protected abstract String clusterOf(T message);

  @Override
  public void open(OpenContext context) throws Exception {
    codec = WireCodec.of(type);
    deadLetters = new DeadLetters(source);
    guard = new StormGuard();
  }

  @Override
  public final void processElement(KafkaMessage message, Context context, Collector<O> out) {
    String cluster = "";
    try {
      if (message.value == null) {
        throw new WireException(type.getSimpleName() + ": a message without a value");
      }
      T decoded = codec.decode(message.value);
      cluster = clusterOf(decoded);
      accept(decoded, message, context, out);
      guard.isStorm(false);
    } catch (WireException e) {
      refuse(message, cluster, e, context);
    }
  }

  private void refuse(KafkaMessage message, String cluster, WireException why, Context context) {
    context.output(DeadLetters.TAG, deadLetters.of(message, cluster, why.getMessage()));
    if (guard.isStorm(true)) {
      throw new SuppressRestartsException(
          new IllegalStateException(
              "More than "
                  + StormGuard.MOST_REFUSED
                  + " of "
                  + StormGuard.WINDOW
                  + " consecutive messages of "
                  + message.topic
                  + " were refused, the last at "
                  + message.place()
                  + ": "
                  + why.getMessage()
                  + ". Mend the producer or this job, then start the job again from its last"
                  + " checkpoint."));
    }
  }
}
