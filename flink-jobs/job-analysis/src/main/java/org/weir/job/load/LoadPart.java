package org.weir.job.load;

import java.util.LinkedHashMap;
import java.util.Map;
import org.weir.analysis.load.LoadSummary;
import org.weir.analysis.traffic.OwnDevice;
import org.weir.job.run.LoadFacts;
import org.weir.job.run.RunSummary;

/** The answer to one of a run's requests for load. */
public final class LoadPart {

  public String cluster;
  public long jobId;
  public String logId;

  /** As they stand in the request. */
  public int batches;

  public int siteRevision;

  public int number;
  public int requests;
  public LoadPlace place;

  /** One for the file system, or one for each device of the server in the request. */
  public LoadFacts[] loads;

  /** Server samples behind the closed buckets: what no later answer lowers. */
  public long samples;

  /** Leaves the fields to be set next, as Flink does when it reads one. */
  @SuppressWarnings("NullAway.Init")
  public LoadPart() {}

  LoadPart(LoadRequest request, LoadFacts[] loads, long samples) {
    this.cluster = request.cluster;
    this.jobId = request.jobId;
    this.logId = request.logId;
    this.batches = request.batches;
    this.siteRevision = request.siteRevision;
    this.number = request.number;
    this.requests = request.requests;
    this.place = request.place;
    this.loads = loads;
    this.samples = samples;
  }

  long state() {
    return RunSummary.state(batches, siteRevision);
  }

  Map<OwnDevice, LoadSummary> devices() {
    Map<OwnDevice, LoadSummary> devices = new LinkedHashMap<>();
    for (int i = 0; i < place.devices.length; i++) {
      devices.put(place.device(i), loads[i].summary());
    }
    return devices;
  }
}
