package org.weir.analysis.cli;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.groupingBy;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.weir.analysis.load.KnownLoad;
import org.weir.analysis.load.LoadBucket;
import org.weir.analysis.load.LoadSummary;
import org.weir.analysis.load.LoadWindow;
import org.weir.analysis.load.RunLoad;
import org.weir.analysis.traffic.OwnDevice;
import org.weir.load.recorded.RecordedLoad;
import org.weir.load.sample.Sample;
import org.weir.site.Site;
import org.weir.wire.StorageLoad;
import org.weir.wire.WireException;

/** Answers what file systems and devices did beside a run, from samples that are all at hand. */
final class LoadedStorage {
  /** Knows of no load at all. */
  static final LoadedStorage NONE = new LoadedStorage();

  private static final KnownLoad NOTHING = new KnownLoad(Map.of(), 0);

  /** By kind and subject, as messages of load name them. */
  private final Map<String, KnownLoad> places = new HashMap<>();

  private LoadedStorage() {}

  /** Computes the load of samples. */
  LoadedStorage(Collection<Sample> samples, Site site) {
    RecordedLoad.of(samples, site).stream()
        .collect(groupingBy(load -> place(load.getKind(), load.getSubject())))
        .forEach((place, loads) -> places.put(place, known(loads)));
  }

  private static String place(String kind, String subject) {
    return kind + "/" + subject;
  }

  private static KnownLoad known(List<StorageLoad> loads) {
    Map<Long, LoadBucket> buckets = new HashMap<>();
    long closedUntil = 0;
    for (StorageLoad load : loads) {
      closedUntil = Math.max(closedUntil, load.getClosedUntil());
      try {
        buckets.put(load.getBucketStart(), LoadBucket.of(load));
      } catch (WireException e) {
        throw new InputException(e.getMessage(), e);
      }
    }
    return new KnownLoad(buckets, closedUntil);
  }

  /** Returns what a run's file system and its devices did in the run's busy seconds. */
  RunLoad.OfFilesystem beside(LoadWindow window) {
    String filesystem = requireNonNull(window.filesystem(), "a window of no file system");
    KnownLoad whole = of("filesystem", filesystem);
    Map<OwnDevice, LoadSummary> devices = new HashMap<>();
    for (OwnDevice device : window.devices()) {
      devices.put(device, of("server", device.server()).beside(window, device));
    }
    return new RunLoad.OfFilesystem(filesystem, whole.beside(window), devices);
  }

  private KnownLoad of(String kind, String subject) {
    return places.getOrDefault(place(kind, subject), NOTHING);
  }
}
