package org.weir.flink.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import java.nio.ByteBuffer;
import org.apache.flink.util.OutputTag;
import org.weir.wire.DeadLetter;
import org.weir.wire.Identity;
import org.weir.wire.Text;
import org.weir.wire.WireCodec;

/** Makes dead letters of messages that a job refuses. Not serializable: build it in open(). */
public final class DeadLetters {

  /** Side output of every operator that can refuse a message. */
  public static final OutputTag<KafkaOut> TAG = new OutputTag<>("dead-letters") {};

  private static final int BYTES_KEPT = 64 * 1024;

  /** The most characters of texts that came with the message: no letter must be refused itself. */
  private static final int MOST_CHARACTERS = 1_000;

  private final String source;
  private final WireCodec<DeadLetter> codec = WireCodec.of(DeadLetter.class);

  /**
   * @param source who refuses: the job's name
   */
  public DeadLetters(String source) {
    this.source = source;
  }

  /**
   * A dead letter. It is a function of the message alone, time included, so that refusing the same
   * message after a restart gives the same row.
   *
   * @param cluster empty where the message did not state it
   */
  public KafkaOut of(KafkaMessage message, String cluster, String reason) {
    return of(message, cluster, reason, message.place(), 1);
  }

  /** One for all messages of a source that are only counted, beginning with the first of them. */
  KafkaOut of(Refusals.Source counted) {
    String reason =
        "In quarantine for the rest of the minute: "
            + counted.messages
            + " more messages of "
            + counted.key
            + " were refused, the first with: "
            + counted.reason;
    KafkaMessage first = requireNonNull(counted.first, "no message was only counted");
    String place = first.place() + " and more";
    return of(first, "", reason, place, counted.messages);
  }

  private KafkaOut of(
      KafkaMessage message, String cluster, String reason, String place, long messages) {
    byte[] value = message.value == null ? new byte[0] : message.value;
    DeadLetter letter =
        DeadLetter.newBuilder()
            .setId(Identity.deadLetterId(cluster, source, place))
            .setCluster(Text.shortened(cluster, MOST_CHARACTERS))
            .setSource(source)
            .setReason(Text.shortened(reason, MOST_CHARACTERS))
            .setTopic(message.topic)
            .setPartition(message.partition)
            .setOffset(message.offset)
            .setBytes(ByteBuffer.wrap(value, 0, Math.min(value.length, BYTES_KEPT)))
            .setTime(message.sentAt)
            .setOrigin("live")
            .setKey(message.key)
            .setMessages(messages)
            .build();
    return new KafkaOut(source.getBytes(UTF_8), codec.encode(letter));
  }
}
