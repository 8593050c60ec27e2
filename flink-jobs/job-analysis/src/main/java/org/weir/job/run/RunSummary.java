package org.weir.job.run;

import org.jspecify.annotations.Nullable;
import org.weir.analysis.compare.Baseline;
import org.weir.analysis.compare.EarlierRun;
import org.weir.analysis.features.RunFeaturesBytes;
import org.weir.analysis.job.LogJobJoin;
import org.weir.analysis.run.RunFeatures;

/** What one log says of its run. Times in UTC microseconds. */
public final class RunSummary {

  public String cluster;
  public String logId;
  public long jobId;
  public long uid;

  /** Null where the source of the log has none. */
  public @Nullable Long ownerUid;

  public String ownerCheck;
  public String fileName;
  public String exe;
  public String exeHash;
  public String logVersion;
  public long startTime;
  public long endTime;

  /** Log id that this one replaces; null if it replaces none. */
  public @Nullable String supersedes;

  /** RunFeatures without its slots: what needs these comes before (LoadRequest). */
  public byte[] features;

  public int batchesAnalyzed;

  /** Null where the log's end is not there. */
  public @Nullable Integer batchesExpected;

  /** What is known of the load before any answer. */
  public LoadFacts load;

  /** What later runs of its application compare with; null if it cannot be compared. */
  public @Nullable EarlierRun comparable;

  /** Its application (Application.key); null likewise. */
  public @Nullable String application;

  /** The revision of the site by which its files were placed on file systems; 0 without one. */
  public int siteRevision;

  public Baseline baseline = Baseline.NONE;

  public String origin;
  public long sentAt;

  /** Leaves the fields to be set next, as Flink does when it reads one. */
  @SuppressWarnings("NullAway.Init")
  public RunSummary() {}

  /** Says which state of a run is meant: the number of a later one is higher. */
  public static long state(int batches, int siteRevision) {
    return (long) batches << 32 | siteRevision;
  }

  public long state() {
    return state(batchesAnalyzed, siteRevision);
  }

  public LogJobJoin.Log forJoin() {
    return new LogJobJoin.Log(startTime, uid, ownerUid, ownerCheck);
  }

  public RunFeatures readFeatures() {
    return RunFeaturesBytes.read(features);
  }

  public boolean isWhole() {
    return batchesExpected != null && batchesAnalyzed >= batchesExpected;
  }

  /** Whether it says at least as much as another summary of the same log. */
  public boolean saysAtLeastAsMuchAs(RunSummary other) {
    return parts() > other.parts()
        || parts() == other.parts() && siteRevision >= other.siteRevision;
  }

  /** Returns how many parts of the log are in it: batches and the end. */
  public int parts() {
    return batchesAnalyzed + (batchesExpected == null ? 0 : 1);
  }
}
