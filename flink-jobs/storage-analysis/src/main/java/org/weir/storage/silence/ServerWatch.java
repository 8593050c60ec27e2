package org.weir.storage.silence;

/** What is remembered of a server to notice its silence. Processing times in milliseconds. */
public final class ServerWatch {

  public String cluster;
  public String server;

  /** When the last sign of life arrived, or, before the first, when it was first expected. */
  public long lastArrival;

  public Silence silence = new Silence();

  /** Processing time of the only registered timer; 0 if there is none. */
  public long timer;

  /** Leaves the fields to be set next, as Flink does when it reads one. */
  @SuppressWarnings("NullAway.Init")
  public ServerWatch() {}
}
