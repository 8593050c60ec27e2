package org.weir.flink.kafka;

import java.util.function.Function;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.util.Collector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.weir.wire.WireCodec;
import org.weir.wire.WireException;

/**
 * Decodes messages of one type. A message that cannot be decoded, or that its taker refuses,
 * becomes a dead letter and its neighbors go on, whatever their number: {@link Refusals} says which
 * are only counted. Not serializable: build it in open().
 */
public final class Decoder<T extends SpecificRecordBase> {

  private static final Logger LOG = LoggerFactory.getLogger(Decoder.class);

  private final String name;
  private final WireCodec<T> codec;
  private final Texts texts;
  private final Function<T, String> clusterOf;
  private final DeadLetters deadLetters;
  private final Refusals refusals = new Refusals();
  private final Counter refused;
  private final Counter quarantines;

  /** Takes a decoded message. */
  @FunctionalInterface
  public interface Taker<T, O> {
    /**
     * Takes it; it reaches no other operator itself.
     *
     * @throws WireException to refuse it; then nothing of {@code out} is emitted
     */
    void take(T message, Emissions<O> out) throws WireException;
  }

  /**
   * @param source who refuses: the job's name
   * @param clusterOf the message's cluster, for its dead letter
   * @param metrics of the operator
   */
  public Decoder(Class<T> type, String source, Function<T, String> clusterOf, MetricGroup metrics) {
    this.name = type.getSimpleName();
    this.codec = WireCodec.of(type);
    this.texts = new Texts(SpecificData.get().getSchema(type));
    this.clusterOf = clusterOf;
    this.deadLetters = new DeadLetters(source);
    this.refused = metrics.counter("messagesRefused");
    this.quarantines = metrics.counter("sourcesInQuarantine");
  }

  /** Decodes a message and emits what the taker makes of it, or a dead letter. */
  public <O> void decode(
      KafkaMessage message, Taker<T, O> taker, Collector<O> out, Emissions.SideOutput side) {
    for (Refusals.Source counted : refusals.passMinute(System.currentTimeMillis())) {
      side.output(DeadLetters.TAG, deadLetters.of(counted));
    }
    String cluster = "";
    Emissions<O> emissions = new Emissions<>();
    try {
      if (message.refused != null) {
        throw new WireException(name + ": " + message.refused);
      }
      if (message.value == null) {
        throw new WireException(name + ": a message without a value");
      }
      T decoded = codec.decode(message.value);
      cluster = clusterOf.apply(decoded);
      texts.check(decoded);
      taker.take(decoded, emissions);
    } catch (WireException e) {
      refuse(message, cluster, e, side);
      return;
    } catch (RuntimeException e) {
      WireException why = new WireException(name + ": values that do not fit: " + e, e);
      if (refuse(message, cluster, why, side)) {
        LOG.error("{} at {} has values that nobody expected", name, message.place(), e);
      }
      return;
    }
    emissions.deliver(out, side);
  }

  /** Makes a message a dead letter, or counts it; returns true if it is a dead letter. */
  private boolean refuse(
      KafkaMessage message, String cluster, WireException why, Emissions.SideOutput side) {
    refused.inc();
    Refusals.Source counted = refusals.note(message, why.getMessage());
    if (counted == null) {
      side.output(DeadLetters.TAG, deadLetters.of(message, cluster, why.getMessage()));
      return true;
    }
    if (counted.isDue()) {
      if (counted.messages == 1) {
        quarantines.inc();
        LOG.warn(
            "Messages of {} are only counted for a minute, from {}", counted.key, message.place());
      }
      side.output(DeadLetters.TAG, deadLetters.of(counted));
    }
    return false;
  }
}
