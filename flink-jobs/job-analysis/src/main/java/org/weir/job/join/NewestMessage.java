package org.weir.job.join;

/** The newest message about one thing. */
public final class NewestMessage {

  public byte[] message;

  /** Of what the message says; a message with a lower one does not replace it. */
  public long version;

  /** Leaves the fields to be set next, as Flink does when it reads one. */
  @SuppressWarnings("NullAway.Init")
  public NewestMessage() {}

  NewestMessage(byte[] message, long version) {
    this.message = message;
    this.version = version;
  }
}
