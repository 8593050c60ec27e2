package org.weir.flink.kafka;

import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.weir.flink.config.ConfigReader;
import org.weir.wire.WireCodec;
import org.weir.wire.WireException;

/**
 * Decodes messages of one type. A message that cannot be decoded, or that its taker refuses,
 * becomes a dead letter and its neighbours go on; a storm of them ends the job for good, because
 * then the job or its input is wrong and would only empty the topic into the dead letters. Who
 * knows that the input is garbage has the job pass over it. Not serializable: build it in open().
 */
public final class Decoder<T extends SpecificRecordBase> {

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
  public interface Taker<T> {
    /**
     * Takes it.
     *
     * @throws WireException to refuse it, before anything was emitted for it
     */
    void take(T message) throws WireException;
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

  /** Decodes a message and hands it over, or has a dead letter sent. */
  public void decode(KafkaMessage message, Taker<T> taker, Consumer<KafkaOut> deadLetter) {
    String cluster = "";
    try {
      if (message.value == null) {
        throw new WireException(name + ": a message without a value");
      }
      T decoded = codec.decode(message.value);
      cluster = clusterOf.apply(decoded);
      taker.take(decoded);
      guard.isStorm(false);
    } catch (WireException e) {
      deadLetter.accept(deadLetters.of(message, cluster, e.getMessage()));
      if (guard.isStorm(true) && !passesStorms) {
        throw new SuppressRestartsException(storm(message, e));
      }
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
