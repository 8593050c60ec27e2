package org.weir.flink.kafka;

/** A message to be sent. */
public final class KafkaOut {

  public byte[] key;
  public byte[] value;

  public KafkaOut() {}

  public KafkaOut(byte[] key, byte[] value) {
    this.key = key;
    this.value = value;
  }
}
