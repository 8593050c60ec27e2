package org.weir.job.load;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.weir.analysis.load.LoadSummary;
import org.weir.analysis.load.RunLoad;
import org.weir.analysis.traffic.OwnDevice;
import org.weir.job.run.LoadFacts;
import org.weir.job.run.RunSummary;

/** The answers to the requests of one state of a run, as far as they have come. */
public final class LoadParts {

  public int batches = -1;

  public int siteRevision;

  /** By the number of the request; null until it is answered. */
  public @Nullable LoadPart[] parts = {};

  public LoadParts() {}

  /** Returns whether the part belongs here and says more than before. */
  boolean take(LoadPart part) {
    long state = RunSummary.state(batches, siteRevision);
    if (part.state() < state) {
      return false;
    }
    if (part.state() > state || part.requests != parts.length) {
      batches = part.batches;
      siteRevision = part.siteRevision;
      parts = new LoadPart[part.requests];
    }
    LoadPart known = parts[part.number];
    if (known != null && known.samples > part.samples) {
      return false;
    }
    parts[part.number] = part;
    return true;
  }

  boolean isComplete() {
    return Arrays.stream(parts).allMatch(Objects::nonNull);
  }

  LoadFacts facts() {
    Map<String, List<LoadPart>> byFilesystem = new LinkedHashMap<>();
    for (LoadPart part : parts) {
      byFilesystem.computeIfAbsent(part.place.filesystem, id -> new ArrayList<>()).add(part);
    }
    List<RunLoad.OfFilesystem> told = new ArrayList<>();
    byFilesystem.forEach((id, of) -> told.add(ofFilesystem(id, of)));
    LoadFacts facts = LoadFacts.of(RunLoad.of(told), true);
    facts.samples = Arrays.stream(parts).mapToLong(part -> part.samples).sum();
    return facts;
  }

  /** The first request is that for the whole file system. */
  private static RunLoad.OfFilesystem ofFilesystem(String id, List<LoadPart> parts) {
    Map<OwnDevice, LoadSummary> devices = new LinkedHashMap<>();
    parts.forEach(part -> devices.putAll(part.devices()));
    return new RunLoad.OfFilesystem(id, parts.get(0).loads[0].summary(), devices);
  }
}
