package org.weir.flink.kafka;

/** A message to be sent. */
public final class KafkaOut {

  public byte[] key;
  public byte[] value;

  /** Leaves the fields to be set next, as Flink does when it reads one. */
  @SuppressWarnings("NullAway.Init")
  public KafkaOut() {}

  public KafkaOut(byte[] key, byte[] value) {
    this.key = key;
    this.value = value;
  }
}
