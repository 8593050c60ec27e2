package org.weir.load.recorded;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.weir.load.bucket.FilesystemLoad;
import org.weir.load.bucket.LoadMessage;
import org.weir.load.bucket.ServerBucket;
import org.weir.load.gather.ServerBuckets;
import org.weir.load.gather.ServerProgress;
import org.weir.load.sample.Sample;
import org.weir.site.Site;
import org.weir.wire.StorageLoad;

/**
 * Computes the load of samples that are all at hand, as storage-analysis does once the last of them
 * has arrived and the servers have fallen silent.
 */
public final class RecordedLoad {

  private RecordedLoad() {}

  /**
   * Computes the load of each server, then that of each file system of the site.
   *
   * @param samples of one cluster, in any order; of two of a server and time the last one counts
   */
  public static List<StorageLoad> of(Collection<Sample> samples, Site site) {
    List<ServerBucket> buckets = new ArrayList<>();
    samples.stream()
        .collect(groupingBy(sample -> sample.server, TreeMap::new, toList()))
        .values()
        .forEach(own -> buckets.addAll(ofServer(own, site)));
    List<StorageLoad> loads = new ArrayList<>();
    buckets.forEach(bucket -> loads.add(LoadMessage.of(bucket, bucket.packed())));
    site.fileSystems().forEach(filesystem -> loads.addAll(ofFilesystem(filesystem, buckets)));
    return loads;
  }

  private static List<ServerBucket> ofServer(List<Sample> samples, Site site) {
    SamplesInMemory store = new SamplesInMemory();
    ServerBuckets placed = new ServerBuckets(store, Long.MAX_VALUE, (sample, width) -> {});
    ServerProgress at = new ServerProgress();
    at.cluster = samples.get(0).cluster;
    at.server = samples.get(0).server;
    at.origin = samples.get(0).origin;
    List<ServerBucket> buckets = new ArrayList<>();
    try {
      for (Sample sample : inOrder(samples)) {
        placed.place(at, sample, site.loadBucketMicros());
      }
      for (Map.Entry<Long, long[]> indexed : store.index()) {
        ServerBucket bucket = placed.load(indexed.getKey(), at);
        if (bucket != null) {
          buckets.add(bucket);
        }
      }
    } catch (Exception e) {
      throw new IllegalStateException("a store on the heap fails with nothing", e);
    }
    return buckets;
  }

  private static List<Sample> inOrder(List<Sample> samples) {
    return samples.stream().sorted(Comparator.comparingLong(sample -> sample.time)).toList();
  }

  /**
   * Adds the servers' shares up.
   *
   * @param buckets of all servers, in the order of these
   */
  private static List<StorageLoad> ofFilesystem(
      Site.FileSystem filesystem, List<ServerBucket> buckets) {
    Set<String> devices = filesystem.deviceIds();
    Map<Long, List<ServerBucket>> shares = new TreeMap<>();
    Map<String, Long> closed = new HashMap<>();
    for (ServerBucket bucket : buckets) {
      ServerBucket share = bucket.shareOf(filesystem.id(), devices);
      if (share.deviceIds.length > 0) {
        shares.computeIfAbsent(share.bucketStart, start -> new ArrayList<>()).add(share);
        closed.put(share.server, share.closedUntil);
      }
    }
    Set<String> expected = filesystem.devices().keySet();
    List<StorageLoad> loads = new ArrayList<>();
    for (List<ServerBucket> parts : shares.values()) {
      FilesystemLoad load = FilesystemLoad.of(parts, new LinkedHashMap<>());
      load.closedUntil =
          expected.stream().mapToLong(it -> closed.getOrDefault(it, 0L)).min().orElse(0);
      load.serversExpected = expected.size();
      loads.add(LoadMessage.of(load));
    }
    return loads;
  }
}
