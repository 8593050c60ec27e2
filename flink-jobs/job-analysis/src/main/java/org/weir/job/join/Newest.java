package org.weir.job.join;

/** The newest message about one thing. */
public final class Newest {

  public byte[] message;

  /** Of what the message says; a message with a lower one does not replace it. */
  public long version;

  public Newest() {}

  Newest(byte[] message, long version) {
    this.message = message;
    this.version = version;
  }
}
