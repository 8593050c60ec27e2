package org.weir.storage.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.streaming.api.functions.co.KeyedBroadcastProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;
import org.weir.flink.control.ControlSnapshot;
import org.weir.flink.kafka.KafkaMessage;
import org.weir.site.Site;
import org.weir.storage.bucket.DevicePart;
import org.weir.storage.bucket.FilesystemBucket;
import org.weir.storage.bucket.FilesystemLoad;
import org.weir.storage.bucket.ServerBucket;
import org.weir.storage.control.Awake;
import org.weir.storage.control.Sites;
import org.weir.storage.control.StorageSettings;
import org.weir.storage.trouble.FilesystemVitals;

/**
 * Shares of servers to the load of a file system. Keyed by cluster, file system, origin and width
 * of the buckets.
 *
 * <p>A bucket is emitted when every expected server has closed it, or without the missing ones
 * after a wait, and again for each share that comes or grows later. Servers are read at speeds of
 * their own while a backlog is caught up, so buckets stay until the slowest one is past them.
 */
public final class FilesystemLoadFunction
    extends KeyedBroadcastProcessFunction<String, ServerBucket, KafkaMessage, FilesystemLoad> {

  /** How the file systems do, live and recent; each bucket again when it has changed. */
  public static final OutputTag<FilesystemVitals> VITALS = new OutputTag<>("filesystem-vitals") {};

  private static final long serialVersionUID = 1L;

  /** A server that is further behind than this is not waited for, in microseconds. */
  public static final long FURTHEST_BEHIND = Duration.ofDays(1).toMillis() * 1000;

  private final ControlSnapshot control;
  private final StorageSettings settings;

  private transient Sites sites;
  private transient Awake awake;
  private transient MapState<Long, FilesystemBucket> buckets;

  /** By start of the bucket and server. */
  private transient MapState<Tuple2<Long, String>, ServerBucket> shares;

  /** Buckets that are not emitted yet: start to the processing time of their first share. */
  private transient MapState<Long, Long> pending;

  private transient ValueState<FilesystemProgress> progress;

  public FilesystemLoadFunction(ControlSnapshot control, StorageSettings settings) {
    this.control = control;
    this.settings = settings;
  }

  @Override
  public void open(OpenContext context) {
    sites = new Sites(control);
    awake = new Awake();
    buckets =
        getRuntimeContext()
            .getMapState(
                new MapStateDescriptor<>(
                    "buckets", Types.LONG, TypeInformation.of(FilesystemBucket.class)));
    shares =
        getRuntimeContext()
            .getMapState(
                new MapStateDescriptor<>(
                    "shares",
                    Types.TUPLE(Types.LONG, Types.STRING),
                    TypeInformation.of(ServerBucket.class)));
    pending =
        getRuntimeContext()
            .getMapState(new MapStateDescriptor<>("pending", Types.LONG, Types.LONG));
    progress =
        getRuntimeContext()
            .getState(new ValueStateDescriptor<>("progress", FilesystemProgress.class));
  }

  @Override
  public void processBroadcastElement(
      KafkaMessage message, Context context, Collector<FilesystemLoad> out) {
    sites.take(message);
  }

  @Override
  public void processElement(
      ServerBucket share, ReadOnlyContext context, Collector<FilesystemLoad> out) throws Exception {
    long now = context.timerService().currentProcessingTime();
    FilesystemProgress at = arrived(share, now);
    boolean changed = keep(share, now);
    Set<String> expected = expectedServers(at);
    long closedUntil = closedUntil(at, expected);
    FilesystemBucket bucket = buckets.get(share.bucketStart);
    if (changed && bucket.emitted) {
      emit(share.bucketStart, closedUntil, expected.size(), context, out);
    }
    for (Map.Entry<Long, Long> waiting : waiting().entrySet()) {
      if (waiting.getKey() + Math.round(share.bucketSeconds * 1e6) <= closedUntil) {
        emit(waiting.getKey(), closedUntil, expected.size(), context, out);
      }
    }
    prune(at, expected, now);
    if (at.timer == 0) {
      at.timer = now + waitMillis(at);
      context.timerService().registerProcessingTimeTimer(at.timer);
    }
    progress.update(at);
  }

  private FilesystemProgress arrived(ServerBucket share, long now) throws Exception {
    FilesystemProgress at = progress.value();
    if (at == null) {
      at = new FilesystemProgress();
      at.cluster = share.cluster;
      at.filesystem = share.filesystem;
      at.firstArrival = now;
    }
    at.lastArrival = now;
    at.heardAt.put(share.server, now);
    if (share.begunAt > at.begunAt.getOrDefault(share.server, 0L)) {
      // With its clock, what it said to be closed was ahead, and perhaps the newest bucket.
      at.begunAt.put(share.server, share.begunAt);
      at.closedUntil.remove(share.server);
      at.newestBucket = Long.MIN_VALUE;
      at.pruneAt = Long.MIN_VALUE;
    }
    at.newestBucket = Math.max(at.newestBucket, share.bucketStart);
    at.closedUntil.merge(share.server, share.closedUntil, Math::max);
    return at;
  }

  /** Stores a share unless as full a one is known; returns whether the bucket has changed. */
  private boolean keep(ServerBucket share, long now) throws Exception {
    FilesystemBucket bucket = buckets.get(share.bucketStart);
    if (bucket == null) {
      bucket = new FilesystemBucket();
      pending.put(share.bucketStart, now);
    }
    if (bucket.samples.getOrDefault(share.server, 0L) >= share.samples && !isKnownVoid(share)) {
      return false;
    }
    bucket.samples.put(share.server, share.samples);
    shares.put(Tuple2.of(share.bucketStart, share.server), share);
    buckets.put(share.bucketStart, bucket);
    return true;
  }

  /** Whether the share that is known was told ahead of its time, before its server began anew. */
  private boolean isKnownVoid(ServerBucket share) throws Exception {
    return share.bucketStart >= share.begunAt
        && shares.get(Tuple2.of(share.bucketStart, share.server)).begunAt < share.begunAt;
  }

  private Set<String> expectedServers(FilesystemProgress at) {
    Site site = sites.of(at.cluster);
    Site.FileSystem filesystem = site == null ? null : site.fileSystem(at.filesystem);
    return filesystem == null ? at.closedUntil.keySet() : filesystem.devices().keySet();
  }

  private static long closedUntil(FilesystemProgress at, Set<String> expected) {
    return expected.stream().mapToLong(s -> at.closedUntil.getOrDefault(s, 0L)).min().orElse(0);
  }

  private TreeMap<Long, Long> waiting() throws Exception {
    TreeMap<Long, Long> waiting = new TreeMap<>();
    for (Map.Entry<Long, Long> entry : pending.entries()) {
      waiting.put(entry.getKey(), entry.getValue());
    }
    return waiting;
  }

  private void emit(
      long start,
      long closedUntil,
      int expected,
      ReadOnlyContext context,
      Collector<FilesystemLoad> out)
      throws Exception {
    FilesystemBucket bucket = buckets.get(start);
    List<ServerBucket> parts = new ArrayList<>();
    for (String server : new TreeSet<>(bucket.samples.keySet())) {
      parts.add(shares.get(Tuple2.of(start, server)));
    }
    Map<String, DevicePart> devices = new LinkedHashMap<>();
    FilesystemLoad load = FilesystemLoad.of(parts, devices);
    load.closedUntil = closedUntil;
    load.serversExpected = expected;
    out.collect(load);
    if (isLive(load, context)) {
      context.output(VITALS, FilesystemVitals.of(load, devices, sites.of(load.cluster)));
    }
    if (!bucket.emitted) {
      bucket.emitted = true;
      buckets.put(start, bucket);
      pending.remove(start);
    }
  }

  /**
   * Whether its troubles matter: those of old samples, archived or sent again, are over, and those
   * of a clock far ahead would make the right ones look old.
   */
  private boolean isLive(FilesystemLoad load, ReadOnlyContext context) {
    Site site = sites.of(load.cluster);
    long distance = Math.abs(context.currentProcessingTime() * 1000 - load.bucketStart);
    return load.origin.equals("live")
        && distance < settings.sampleRetention().toMillis() * 1000
        && site != null
        && site.fileSystem(load.filesystem) != null;
  }

  private void prune(FilesystemProgress at, Set<String> expected, long now) throws Exception {
    long retention = settings.sampleRetention().toMillis() * 1000;
    // The clock bounds the newest bucket: one of a clock far ahead must not make the rest look old.
    long furthest = Math.min(at.newestBucket, now * 1000) - FURTHEST_BEHIND;
    long oldest = Math.max(slowest(at, expected, now), furthest) - retention;
    if (oldest < at.pruneAt) {
      return;
    }
    List<Long> old = new ArrayList<>();
    for (long start : buckets.keys()) {
      if (start <= oldest && !pending.contains(start)) {
        old.add(start);
      }
    }
    for (long start : old) {
      for (String server : buckets.get(start).samples.keySet()) {
        shares.remove(Tuple2.of(start, server));
      }
      buckets.remove(start);
    }
    at.pruneAt = oldest + retention / 10;
  }

  /**
   * How far the slowest server is, in microseconds; one that is silent for long is none, but for
   * the time in which the job was down.
   */
  private long slowest(FilesystemProgress at, Set<String> expected, long now) {
    long patience = settings.sampleRetention().toMillis();
    Set<String> servers = new TreeSet<>(at.closedUntil.keySet());
    servers.addAll(expected);
    return servers.stream()
        .filter(s -> awake.missed(at.heardAt.getOrDefault(s, at.firstArrival), now) < patience)
        .mapToLong(server -> at.closedUntil.getOrDefault(server, 0L))
        .min()
        .orElse(at.newestBucket);
  }

  /** One timer at a time: while buckets wait it emits them, after the retention it clears all. */
  @Override
  public void onTimer(long time, OnTimerContext context, Collector<FilesystemLoad> out)
      throws Exception {
    FilesystemProgress at = progress.value();
    long wait = waitMillis(at);
    Set<String> expected = expectedServers(at);
    long next = at.lastArrival + settings.sampleRetention().toMillis();
    for (Map.Entry<Long, Long> waiting : waiting().entrySet()) {
      if (waiting.getValue() + wait <= time) {
        emit(waiting.getKey(), closedUntil(at, expected), expected.size(), context, out);
      } else {
        next = Math.min(next, waiting.getValue() + wait);
      }
    }
    if (pending.isEmpty() && time >= next) {
      buckets.clear();
      shares.clear();
      progress.clear();
      return;
    }
    // While shares keep coming the next wait is never further away than one wait.
    at.timer = Math.max(time + 1, pending.isEmpty() ? Math.min(next, time + wait) : next);
    context.timerService().registerProcessingTimeTimer(at.timer);
    progress.update(at);
  }

  private long waitMillis(FilesystemProgress at) {
    Site site = sites.of(at.cluster);
    double slowest = 0;
    if (site != null) {
      Set<String> expected = new TreeSet<>(expectedServers(at));
      for (Site.Server server : site.servers()) {
        if (expected.contains(server.name())) {
          slowest = Math.max(slowest, server.sampleIntervalSeconds());
        }
      }
    }
    Duration twoIntervals = Duration.ofMillis(Math.round(2000 * slowest));
    return Math.max(settings.serverWait().toMillis(), twoIntervals.toMillis());
  }
}
