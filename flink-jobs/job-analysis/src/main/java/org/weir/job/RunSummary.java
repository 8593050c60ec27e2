package org.weir.job;

import org.weir.analysis.Joins;
import org.weir.analysis.RunFeatures;

/** What one log says of its run. Times in UTC microseconds. */
public final class RunSummary {

  public String cluster;
  public String logId;
  public long jobId;
  public long uid;

  /** Null where the source of the log has none. */
  public Long ownerUid;

  public String ownerCheck;
  public String fileName;
  public String exe;
  public String exeHash;
  public String logVersion;
  public long startTime;
  public long endTime;

  /** Log id that this one replaces, or null. */
  public String supersedes;

  /** RunFeatures without its slots: who needs these is asked before (LoadAsk). */
  public byte[] features;

  public int batchesAnalysed;

  /** Above {@code batchesAnalysed} where it is not known. */
  public int batchesExpected;

  /** What is known of the load before any answer. */
  public LoadFacts load;

  public String origin;
  public long sentAt;

  public RunSummary() {}

  Joins.Log forJoin() {
    return new Joins.Log(startTime, uid, ownerUid, ownerCheck);
  }

  RunFeatures readFeatures() {
    return RunFeatures.fromBytes(features);
  }

  /** Whether it says as much as another summary of the same log, or more. */
  boolean isAtLeastAsFullAs(RunSummary other) {
    return Long.compare(
            (long) batchesAnalysed * other.batchesExpected,
            (long) other.batchesAnalysed * batchesExpected)
        >= 0;
  }
}
