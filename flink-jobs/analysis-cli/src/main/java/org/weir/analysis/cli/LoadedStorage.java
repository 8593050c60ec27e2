package org.weir.analysis.cli;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.weir.analysis.load.BucketLoad;
import org.weir.analysis.load.LoadSummary;
import org.weir.analysis.load.LoadWindow;
import org.weir.analysis.load.RunLoad;
import org.weir.analysis.traffic.OwnDevice;
import org.weir.wire.PackedColumns;
import org.weir.wire.StorageLoad;
import org.weir.wire.WireException;

/** All that is known of a cluster's storage, at hand at once. */
record LoadedStorage(String cluster, List<StorageLoad> all) {

  /** What file system and devices did in a run's busy seconds. */
  RunLoad.OfFilesystem beside(LoadWindow window) {
    Map<Long, BucketLoad> whole = new HashMap<>();
    List<StorageLoad> ofFileSystem = of("filesystem", window.filesystem());
    long closedUntil = closedUntil(ofFileSystem);
    ofFileSystem.forEach(
        load -> whole.put(load.getBucketStart(), BucketLoad.of(load, closedUntil)));
    Map<OwnDevice, LoadSummary> devices = new HashMap<>();
    for (OwnDevice device : window.devices()) {
      devices.put(device, window.of(device).summarize(of(device), true));
    }
    return new RunLoad.OfFilesystem(window.filesystem(), window.summarize(whole, true), devices);
  }

  private Map<Long, BucketLoad> of(OwnDevice device) {
    List<StorageLoad> ofServer = of("server", device.server());
    long closedUntil = closedUntil(ofServer);
    Map<Long, BucketLoad> buckets = new HashMap<>();
    for (StorageLoad load : ofServer) {
      int row = load.getDeviceIds().indexOf(device.id());
      if (row >= 0) {
        buckets.put(load.getBucketStart(), bucket(load, row, closedUntil));
      }
    }
    return buckets;
  }

  private static BucketLoad bucket(StorageLoad load, int row, long closedUntil) {
    try {
      PackedColumns columns = PackedColumns.of(load);
      return BucketLoad.ofDevice(
          columns.doubles("bytes_read").get(row),
          columns.doubles("bytes_written").get(row),
          columns.doubles("util").get(row),
          BucketLoad.end(load) <= closedUntil);
    } catch (WireException e) {
      throw new InputException(e.getMessage(), e);
    }
  }

  private List<StorageLoad> of(String kind, String subject) {
    return all.stream()
        .filter(load -> load.getCluster().equals(cluster))
        .filter(load -> load.getKind().equals(kind) && load.getSubject().equals(subject))
        .toList();
  }

  private static long closedUntil(List<StorageLoad> loads) {
    return loads.stream().mapToLong(StorageLoad::getClosedUntil).max().orElse(0);
  }
}
