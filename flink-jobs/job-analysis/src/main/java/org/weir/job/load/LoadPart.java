package org.weir.job.load;

import java.util.LinkedHashMap;
import java.util.Map;
import org.weir.analysis.load.LoadSummary;
import org.weir.analysis.traffic.OwnDevice;
import org.weir.job.run.LoadFacts;
import org.weir.job.run.RunSummary;

/** The answer to one of a run's questions for load. */
public final class LoadPart {

  public String cluster;
  public long jobId;
  public String logId;

  /** As they stand in the question. */
  public int batches;

  public int siteRevision;

  public int number;
  public int questions;
  public LoadPlace place;

  /** Of the file system one, of a server one for each device of the question. */
  public LoadFacts[] loads;

  /** Server ticks behind the closed buckets: what no later answer lowers. */
  public long ticks;

  public LoadPart() {}

  LoadPart(LoadAsk ask, LoadFacts[] loads, long ticks) {
    this.cluster = ask.cluster;
    this.jobId = ask.jobId;
    this.logId = ask.logId;
    this.batches = ask.batches;
    this.siteRevision = ask.siteRevision;
    this.number = ask.number;
    this.questions = ask.questions;
    this.place = ask.place;
    this.loads = loads;
    this.ticks = ticks;
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
