package org.weir.storage;

/** What one server contributes to a file system in one bucket. */
public final class FilesystemShare {

  public String cluster;
  public String filesystem;
  public String server;
  public long bucketStart;
  public double bucketSeconds;

  /** {@link Columns#COUNT} sums over the file system's devices on the server. */
  public double[] sums;

  /** Of each of these devices, 0 to 1. */
  public double[] util;

  public long ticks;

  /** Of the server. */
  public long closedUntil;

  public String origin;
  public long sentAt;

  public FilesystemShare() {}
}
