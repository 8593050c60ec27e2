package org.weir.job.join;

/** The newest message about one thing. */
public final class NewestMessage {

  public byte[] message;

  /** The version of what the message says; a message with a lower one is ignored. */
  public long version;

  /** Leaves the fields to be set next, as Flink does when it reads one. */
  @SuppressWarnings("NullAway.Init")
  public NewestMessage() {}

  NewestMessage(byte[] message, long version) {
    this.message = message;
    this.version = version;
  }
}
