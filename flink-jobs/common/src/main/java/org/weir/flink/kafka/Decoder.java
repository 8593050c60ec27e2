package org.weir.flink.kafka;

import java.util.Map;
import java.util.function.Function;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.util.Collector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.weir.flink.config.ConfigReader;
import org.weir.wire.WireCodec;
import org.weir.wire.WireException;

/**
 * Decodes messages of one type. A message that cannot be decoded, or that its taker refuses,
 * becomes a dead letter and its neighbors go on; a storm of them ends the job for good, because
 * then the job or its input is wrong and would only empty the topic into the dead letters. Who
 * knows that the input is garbage has the job pass over it. Not serializable: build it in open().
 */
public final class Decoder<T extends SpecificRecordBase> {

  private static final Logger LOG = LoggerFactory.getLogger(Decoder.class);
  private static final String STORMS = "kafka.storms";
  private static final String STOP = "stop";
  private static final String PASS = "pass";

  private final String name;
  private final WireCodec<T> codec;
  private final Function<T, String> clusterOf;
  private final DeadLetters deadLetters;
  private final StormGuard guard = new StormGuard();
  private final boolean passesStorms;

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
   * @param jobParameters the job's, {@link #parameters} among them
   */
  public Decoder(
      Class<T> type,
      String source,
      Function<T, String> clusterOf,
      Map<String, String> jobParameters) {
    this.name = type.getSimpleName();
    this.codec = WireCodec.of(type);
    this.clusterOf = clusterOf;
    this.deadLetters = new DeadLetters(source);
    this.passesStorms = PASS.equals(jobParameters.get(STORMS));
  }

  /** What decoders ask of the job's parameters, as it is configured. */
  public static Map<String, String> parameters(ConfigReader config) {
    return Map.of(STORMS, config.oneOf(STORMS, STOP, PASS));
  }

  /** Decodes a message and emits what the taker makes of it, or a dead letter. */
  public <O> void decode(
      KafkaMessage message, Taker<T, O> taker, Collector<O> out, Emissions.SideOutput side) {
    String cluster = "";
    Emissions<O> emissions = new Emissions<>();
    try {
      if (message.value == null) {
        throw new WireException(name + ": a message without a value");
      }
      T decoded = codec.decode(message.value);
      cluster = clusterOf.apply(decoded);
      taker.take(decoded, emissions);
    } catch (WireException e) {
      refuse(message, cluster, e, side);
      return;
    } catch (RuntimeException e) {
      LOG.error("{} at {} has values that nobody expected", name, message.place(), e);
      refuse(message, cluster, new WireException(name + ": values that do not fit: " + e, e), side);
      return;
    }
    guard.isStorm(false);
    emissions.deliver(out, side);
  }

  private void refuse(
      KafkaMessage message, String cluster, WireException why, Emissions.SideOutput side) {
    side.output(DeadLetters.TAG, deadLetters.of(message, cluster, why.getMessage()));
    if (guard.isStorm(true) && !passesStorms) {
      throw new SuppressRestartsException(storm(message, why));
    }
  }

  private static IllegalStateException storm(KafkaMessage last, WireException why) {
    return new IllegalStateException(
        "More than "
            + StormGuard.MOST_REFUSED
            + " of "
            + StormGuard.WINDOW
            + " consecutive messages of "
            + last.topic
            + " were refused, the last at "
            + last.place()
            + ": "
            + why.getMessage()
            + ". Mend the producer or this job, or have the job pass over storms ("
            + STORMS
            + "="
            + PASS
            + "), then start it again from its last checkpoint.",
        why);
  }
}
