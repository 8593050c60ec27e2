package org.weir.job.load;

import java.util.ArrayList;
import java.util.List;
import org.weir.analysis.load.LoadWindow;
import org.weir.job.run.RunSummary;
import org.weir.site.Site;

/** A run's question for the load of one place in its busy seconds. */
public final class LoadAsk {

  public String cluster;
  public LoadPlace place;

  /** Which of the run's questions this is, from 0, and how many there are. */
  public int number;

  public int questions;

  public String logId;
  public long jobId;

  /** Which state of the run this asks for: the batches behind it, and the site of their files. */
  public int batches;

  public int siteRevision;

  /** Width of a bucket, microseconds. */
  public long bucketMicros;

  public double writeAmplification;

  /** Bucket starts, UTC microseconds, ascending. */
  public long[] starts;

  /** What the run itself moved on the file system in each. */
  public double[] bytesRead;

  public double[] bytesWritten;

  /** Longest interval of the servers that tell. */
  public double sampleIntervalSeconds;

  public LoadAsk() {}

  /** The questions of a run, for each of its file systems and the servers of its devices. */
  public static List<LoadAsk> all(RunSummary run, List<LoadWindow> windows, Site site) {
    List<LoadAsk> asks = new ArrayList<>();
    for (LoadWindow window : windows) {
      for (LoadPlace place : LoadPlace.of(window)) {
        asks.add(of(run, window, place, sampleInterval(place, site)));
      }
    }
    for (int i = 0; i < asks.size(); i++) {
      asks.get(i).number = i;
      asks.get(i).questions = asks.size();
    }
    return asks;
  }

  private static LoadAsk of(
      RunSummary run, LoadWindow window, LoadPlace place, double sampleIntervalSeconds) {
    LoadAsk ask = new LoadAsk();
    ask.cluster = run.cluster;
    ask.place = place;
    ask.logId = run.logId;
    ask.jobId = run.jobId;
    ask.batches = run.batchesAnalysed;
    ask.siteRevision = run.siteRevision;
    ask.bucketMicros = window.bucketMicros();
    ask.writeAmplification = window.writeAmplification();
    ask.sampleIntervalSeconds = sampleIntervalSeconds;
    ask.starts = window.own().stream().mapToLong(LoadWindow.OwnBucket::start).toArray();
    ask.bytesRead = window.own().stream().mapToDouble(LoadWindow.OwnBucket::bytesRead).toArray();
    ask.bytesWritten =
        window.own().stream().mapToDouble(LoadWindow.OwnBucket::bytesWritten).toArray();
    return ask;
  }

  private static double sampleInterval(LoadPlace place, Site site) {
    Site.FileSystem filesystem = site.fileSystem(place.filesystem);
    return site.servers().stream()
        .filter(
            server ->
                place.isServer()
                    ? server.name().equals(place.subject)
                    : filesystem != null && filesystem.devices().containsKey(server.name()))
        .mapToDouble(Site.Server::sampleIntervalSeconds)
        .max()
        .orElse(0);
  }

  long state() {
    return RunSummary.state(batches, siteRevision);
  }

  /** Of all questions under one key. */
  String id() {
    return logId + "/" + place.filesystem;
  }

  /** End of the last bucket, UTC microseconds. */
  long end() {
    return starts[starts.length - 1] + bucketMicros;
  }

  /**
   * Returns how long after the run's last byte its load is closed at the latest: its bucket ends,
   * and then every server measures an interval whose middle is behind that end.
   */
  long closesWithinMillis() {
    return bucketMicros / 1_000 + Math.round(1_500 * sampleIntervalSeconds);
  }

  LoadWindow window() {
    List<LoadWindow.OwnBucket> own = new ArrayList<>(starts.length);
    for (int i = 0; i < starts.length; i++) {
      own.add(new LoadWindow.OwnBucket(starts[i], bytesRead[i], bytesWritten[i]));
    }
    return new LoadWindow(place.filesystem, bucketMicros, writeAmplification, own, List.of());
  }
}
