package org.weir.job;

import java.util.ArrayList;
import java.util.List;
import org.weir.analysis.LoadWindow;

/** A run's question for the load of its file system in its busy seconds. */
public final class LoadAsk {

  public String cluster;
  public String filesystem;
  public String logId;
  public long jobId;

  /** Batches behind the run: which state of it this asks for. */
  public int batches;

  /** Width of a bucket, microseconds. */
  public long bucketMicros;

  public double writeAmplification;

  /** Bucket starts, UTC microseconds, ascending. */
  public long[] starts;

  /** What the run itself moved in each. */
  public double[] bytesRead;

  public double[] bytesWritten;

  /** Longest interval of the file system's servers. */
  public double sampleIntervalSeconds;

  public LoadAsk() {}

  static LoadAsk of(RunSummary run, LoadWindow window, double sampleIntervalSeconds) {
    LoadAsk ask = new LoadAsk();
    ask.cluster = run.cluster;
    ask.filesystem = window.filesystem();
    ask.logId = run.logId;
    ask.jobId = run.jobId;
    ask.batches = run.batchesAnalysed;
    ask.bucketMicros = window.bucketMicros();
    ask.writeAmplification = window.writeAmplification();
    ask.sampleIntervalSeconds = sampleIntervalSeconds;
    ask.starts = window.own().stream().mapToLong(LoadWindow.OwnBucket::start).toArray();
    ask.bytesRead = window.own().stream().mapToDouble(LoadWindow.OwnBucket::bytesRead).toArray();
    ask.bytesWritten =
        window.own().stream().mapToDouble(LoadWindow.OwnBucket::bytesWritten).toArray();
    return ask;
  }

  LoadWindow window() {
    List<LoadWindow.OwnBucket> own = new ArrayList<>(starts.length);
    for (int i = 0; i < starts.length; i++) {
      own.add(new LoadWindow.OwnBucket(starts[i], bytesRead[i], bytesWritten[i]));
    }
    return new LoadWindow(filesystem, bucketMicros, writeAmplification, own);
  }
}
