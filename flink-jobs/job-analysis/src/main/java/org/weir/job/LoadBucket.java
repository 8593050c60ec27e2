package org.weir.job;

import org.weir.analysis.BucketLoad;
import org.weir.wire.StorageLoad;

/** Load of a file system in one bucket, as held in state. Times in UTC microseconds. */
public final class LoadBucket {

  public long start;
  public double bucketSeconds;
  public double bytesRead;
  public double bytesWritten;
  public double utilMean;
  public double utilMax;
  public boolean allServers;
  public long version;
  public long closedUntil;

  public LoadBucket() {}

  static LoadBucket of(StorageLoad load) {
    LoadBucket bucket = new LoadBucket();
    bucket.start = load.getBucketStart();
    bucket.bucketSeconds = load.getBucketSeconds();
    bucket.bytesRead = load.getBytesRead();
    bucket.bytesWritten = load.getBytesWritten();
    bucket.utilMean = load.getUtilMean();
    bucket.utilMax = load.getUtilMax();
    bucket.allServers = load.getServersReported() >= load.getServersExpected();
    bucket.version = load.getVersion();
    bucket.closedUntil = load.getClosedUntil();
    return bucket;
  }

  BucketLoad forAnalysis(long newestClosedUntil) {
    boolean closed = start + Math.round(bucketSeconds * 1e6) <= newestClosedUntil;
    return new BucketLoad(bytesRead, bytesWritten, utilMean, utilMax, closed, allServers);
  }
}
