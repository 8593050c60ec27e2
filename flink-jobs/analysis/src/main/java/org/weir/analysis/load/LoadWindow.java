package org.weir.analysis.load;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.weir.analysis.run.RunFeatures;
import org.weir.analysis.traffic.OwnDevice;
import org.weir.analysis.traffic.OwnSlot;
import org.weir.analysis.traffic.OwnTraffic;
import org.weir.site.Site;

/**
 * The load buckets in which a run moved bytes on its file system: what to ask the load for, and
 * what the answers say together. Keep the run's features and build it again rather than storing it.
 *
 * @param filesystem id; null if the run moved nothing on a listed one
 * @param bucketMicros width of a bucket
 * @param writeAmplification device bytes for one byte written
 * @param own in the order of time, by the bucket's start in UTC microseconds
 * @param devices that the bytes went through; empty where they are unknown
 */
public record LoadWindow(
    @Nullable String filesystem,
    long bucketMicros,
    double writeAmplification,
    List<OwnBucket> own,
    List<OwnDevice> devices) {

  /** How long the page cache can hold back a write. */
  private static final long WRITE_BACK_MICROS = 30_000_000;

  /** More busy buckets than this are not asked for: 11 days at 10 s. */
  private static final int MOST_BUCKETS = 100_000;

  /** What the run itself moved in one bucket. */
  public record OwnBucket(long start, double bytesRead, double bytesWritten) {}

  /** The window of a run on the file system with most of its bytes. */
  public static LoadWindow of(RunFeatures run, Site site) {
    List<LoadWindow> all = all(run, site);
    return all.isEmpty() ? new LoadWindow(null, 0, 1, List.of(), List.of()) : all.get(0);
  }

  /** The windows of a run on each of its file systems, that with most of its bytes first. */
  public static List<LoadWindow> all(RunFeatures run, Site site) {
    return run.traffic().stream().map(traffic -> of(traffic, run.startTime(), site)).toList();
  }

  /** A bucket starts at a multiple of the site's bucket width. */
  private static LoadWindow of(OwnTraffic traffic, long runStart, Site site) {
    long width = site.loadBucketMicros();
    TreeMap<Long, double[]> buckets = new TreeMap<>();
    for (OwnSlot slot : traffic.slots()) {
      if (buckets.size() < MOST_BUCKETS) {
        spread(slot, runStart, width, buckets);
      }
    }
    Site.FileSystem fileSystem = site.fileSystem(traffic.filesystem());
    List<OwnBucket> own = new ArrayList<>();
    buckets.forEach((start, bytes) -> own.add(new OwnBucket(start, bytes[0], bytes[1])));
    return new LoadWindow(
        traffic.filesystem(),
        width,
        fileSystem == null ? 1 : fileSystem.writeAmplification(),
        List.copyOf(own),
        traffic.devices());
  }

  /** The same for the part of the bytes that a device can have had. */
  public LoadWindow of(OwnDevice device) {
    double share = device.share();
    return new LoadWindow(
        filesystem,
        bucketMicros,
        writeAmplification,
        own.stream()
            .map(b -> new OwnBucket(b.start, share * b.bytesRead, share * b.bytesWritten))
            .toList(),
        List.of());
  }

  /** The devices by the server that samples them. */
  public SortedMap<String, List<OwnDevice>> devicesByServer() {
    return devices.stream()
        .collect(Collectors.groupingBy(OwnDevice::server, TreeMap::new, Collectors.toList()));
  }

  private static void spread(OwnSlot slot, long runStart, long width, Map<Long, double[]> buckets) {
    double from = (double) runStart + slot.fromSeconds() * 1e6;
    double to = (double) runStart + slot.toSeconds() * 1e6;
    long first = Math.floorDiv((long) from, width) * width;
    for (long start = first; start < to && buckets.size() < MOST_BUCKETS; start += width) {
      double share =
          (Math.min(to, (double) (start + width)) - Math.max(from, (double) start)) / (to - from);
      double[] bytes = buckets.computeIfAbsent(start, s -> new double[2]);
      bytes[0] += slot.bytesRead() * share;
      bytes[1] += slot.bytesWritten() * share;
    }
  }

  /** Starts of the buckets to ask for, UTC microseconds. */
  public List<Long> bucketStarts() {
    return own.stream().map(OwnBucket::start).toList();
  }

  /** End of the last bucket, UTC microseconds; 0 if there is none. */
  public long end() {
    return own.isEmpty() ? 0 : own.get(own.size() - 1).start() + bucketMicros;
  }

  /**
   * What the answers say so far.
   *
   * @param loads by bucket start; others than those asked for are ignored
   * @param waitOver nothing more is awaited
   */
  public LoadSummary summarize(Map<Long, BucketLoad> loads, boolean waitOver) {
    if (filesystem == null) {
      return LoadSummary.noFilesystem();
    }
    double util = 0;
    double utilMax = 0;
    double device = 0;
    int closed = 0;
    boolean allServers = true;
    for (OwnBucket bucket : own) {
      BucketLoad load = loads.get(bucket.start());
      if (load != null && load.closed()) {
        closed++;
        util += load.utilMean();
        utilMax = Math.max(utilMax, load.utilMax());
        device += load.bytesRead() + load.bytesWritten();
        allServers &= load.allServers();
      }
    }
    boolean none = closed == 0;
    return new LoadSummary(
        state(closed, allServers, waitOver),
        own.size(),
        closed,
        none ? null : util / closed,
        none ? null : utilMax,
        none ? null : device,
        ownBytes(),
        none ? null : othersBytes(loads));
  }

  private LoadState state(int closed, boolean allServers, boolean waitOver) {
    if (own.isEmpty()) {
      return LoadState.NO_SAMPLES;
    }
    if (closed == own.size()) {
      return allServers ? LoadState.CLOSED : LoadState.INCOMPLETE;
    }
    if (!waitOver) {
      return LoadState.WAITING;
    }
    return closed == 0 ? LoadState.NO_SAMPLES : LoadState.INCOMPLETE;
  }

  private double ownBytes() {
    return own.stream().mapToDouble(b -> b.bytesRead() + b.bytesWritten()).sum();
  }

  /**
   * The fewest bytes that must be others': a bucket's device bytes beyond the run's reads, less as
   * much as possible of what the run wrote up to 30 s before, the oldest writes first.
   */
  private double othersBytes(Map<Long, BucketLoad> loads) {
    double others = 0;
    Deque<double[]> cached = new ArrayDeque<>();
    for (OwnBucket bucket : own) {
      cached.addLast(new double[] {bucket.start(), bucket.bytesWritten() * writeAmplification});
      while (cached.getFirst()[0] + bucketMicros + WRITE_BACK_MICROS <= bucket.start()) {
        cached.removeFirst();
      }
      BucketLoad load = loads.get(bucket.start());
      if (load != null && load.closed()) {
        double device = load.bytesRead() + load.bytesWritten();
        others += absorb(Math.max(0, device - bucket.bytesRead()), cached);
      }
    }
    return others;
  }

  /** What remains of the bytes after the cached writes have taken theirs. */
  private static double absorb(double bytes, Deque<double[]> cached) {
    double rest = bytes;
    for (double[] write : cached) {
      double taken = Math.min(rest, write[1]);
      write[1] -= taken;
      rest -= taken;
    }
    return rest;
  }
}
