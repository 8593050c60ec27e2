package org.weir.job.load;

import java.util.ArrayList;
import java.util.List;
import org.weir.analysis.load.LoadWindow;
import org.weir.job.run.RunSummary;
import org.weir.site.Site;

/** A run's request for the load of one place in its busy seconds. */
public final class LoadRequest {

  public String cluster;
  public LoadPlace place;

  /** Which of the run's requests this is, from 0, and how many there are. */
  public int number;

  public int requests;

  public String logId;
  public long jobId;

  /** Which state of the run this is about: the batches behind it, and the site of their files. */
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

  /** Longest sampling interval of its servers. */
  public double sampleIntervalSeconds;

  /** Leaves the fields to be set next, as Flink does when it reads one. */
  @SuppressWarnings("NullAway.Init")
  public LoadRequest() {}

  /** The requests of a run, for each of its file systems and the servers of its devices. */
  public static List<LoadRequest> all(RunSummary run, List<LoadWindow> windows, Site site) {
    List<LoadRequest> requests = new ArrayList<>();
    for (LoadWindow window : windows) {
      for (LoadPlace place : LoadPlace.of(window)) {
        requests.add(of(run, window, place, sampleInterval(place, site)));
      }
    }
    for (int i = 0; i < requests.size(); i++) {
      requests.get(i).number = i;
      requests.get(i).requests = requests.size();
    }
    return requests;
  }

  private static LoadRequest of(
      RunSummary run, LoadWindow window, LoadPlace place, double sampleIntervalSeconds) {
    LoadRequest request = new LoadRequest();
    request.cluster = run.cluster;
    request.place = place;
    request.logId = run.logId;
    request.jobId = run.jobId;
    request.batches = run.batchesAnalyzed;
    request.siteRevision = run.siteRevision;
    request.bucketMicros = window.bucketMicros();
    request.writeAmplification = window.writeAmplification();
    request.sampleIntervalSeconds = sampleIntervalSeconds;
    request.starts = window.own().stream().mapToLong(LoadWindow.OwnBucket::start).toArray();
    request.bytesRead =
        window.own().stream().mapToDouble(LoadWindow.OwnBucket::bytesRead).toArray();
    request.bytesWritten =
        window.own().stream().mapToDouble(LoadWindow.OwnBucket::bytesWritten).toArray();
    return request;
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

  /** Identifies the request among all under one key. */
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
