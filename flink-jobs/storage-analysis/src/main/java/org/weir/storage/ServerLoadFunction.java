package org.weir.storage;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.functions.co.KeyedBroadcastProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;
import org.weir.analysis.Site;
import org.weir.flink.control.ControlSnapshot;
import org.weir.flink.kafka.KafkaMessage;

/**
 * Ticks of a server to its load buckets. Keyed by cluster and server.
 *
 * <p>A bucket is emitted when a tick of a later bucket has come, again for each late tick, and as
 * it stands when the server falls silent. State is one entry a tick, so a tick that comes twice
 * counts once; it is bounded by the retention behind the newest tick and goes away with a silent
 * server. Without a published site nothing is emitted and the ticks wait.
 */
final class ServerLoadFunction
    extends KeyedBroadcastProcessFunction<String, Tick, KafkaMessage, ServerBucket> {

  /** Contributions to the file systems of the site. */
  static final OutputTag<FilesystemShare> SHARES = new OutputTag<>("filesystem-shares") {};

  private static final long serialVersionUID = 1L;

  private final ControlSnapshot control;
  private final StorageSettings settings;

  private transient Sites sites;
  private transient MapState<Long, Tick> ticks;
  private transient MapState<Long, long[]> index;
  private transient ValueState<ServerProgress> progress;
  private transient Counter tooLate;

  ServerLoadFunction(ControlSnapshot control, StorageSettings settings) {
    this.control = control;
    this.settings = settings;
  }

  @Override
  public void open(OpenContext context) {
    sites = new Sites(control);
    ticks =
        getRuntimeContext()
            .getMapState(
                new MapStateDescriptor<>("ticks", Types.LONG, TypeInformation.of(Tick.class)));
    index =
        getRuntimeContext()
            .getMapState(
                new MapStateDescriptor<>(
                    "tick-times-by-bucket",
                    Types.LONG,
                    PrimitiveArrayTypeInfo.LONG_PRIMITIVE_ARRAY_TYPE_INFO));
    progress =
        getRuntimeContext().getState(new ValueStateDescriptor<>("progress", ServerProgress.class));
    tooLate = getRuntimeContext().getMetricGroup().counter("ticksTooLate");
  }

  @Override
  public void processBroadcastElement(
      KafkaMessage message, Context context, Collector<ServerBucket> out) {
    sites.take(message);
  }

  @Override
  public void processElement(Tick tick, ReadOnlyContext context, Collector<ServerBucket> out)
      throws Exception {
    ServerProgress at = progress.value();
    if (at == null) {
      at = new ServerProgress();
      at.cluster = tick.cluster;
      at.server = tick.server;
    }
    if (at.newestTick != Long.MIN_VALUE && tick.time <= at.newestTick - retentionMicros()) {
      tooLate.inc();
      return;
    }
    arrived(at, tick, context);
    if (!tick.sameAs(ticks.get(tick.time))) {
      ticks.put(tick.time, tick);
      at.newestTick = Math.max(at.newestTick, tick.time);
      Site site = sites.of(tick.cluster);
      if (site != null) {
        emitAll(place(at, tick, site), at, site, out, context::output);
      }
      prune(at);
    }
    progress.update(at);
  }

  /** Puts the tick into the index; returns the closed buckets that are new or changed. */
  private SortedSet<Long> place(ServerProgress at, Tick tick, Site site) throws Exception {
    long width = Sites.bucketMicros(site);
    SortedSet<Long> changed = new TreeSet<>();
    long closedBefore = at.closedUntil;
    if (at.bucketMicros != width) {
      reindex(at, width);
      closedBefore = Long.MIN_VALUE;
    } else {
      addToIndex(tick, width);
      // A cumulative tick also gives its successor the value that it lacked.
      long last = tick.time + (tick.cumulative ? TickDelta.longestStep(tick) : 0);
      for (long bucket = bucket(tick.middle(), width);
          bucket <= last && bucket < closedBefore;
          bucket += width) {
        if (index.contains(bucket)) {
          changed.add(bucket);
        }
      }
    }
    at.closedUntil = Math.max(at.closedUntil, openBucket(at, width));
    changed.addAll(indexed(closedBefore, at.closedUntil, width));
    return changed;
  }

  private long openBucket(ServerProgress at, long width) throws Exception {
    return bucket(ticks.get(at.newestTick).middle(), width);
  }

  private void addToIndex(Tick tick, long width) throws Exception {
    long bucket = bucket(tick.middle(), width);
    long[] times = index.get(bucket);
    if (times == null) {
      index.put(bucket, new long[] {tick.time});
    } else if (Arrays.binarySearch(times, tick.time) < 0) {
      long[] more = Arrays.copyOf(times, times.length + 1);
      more[times.length] = tick.time;
      Arrays.sort(more);
      index.put(bucket, more);
    }
  }

  /** The first site, or one with another width of buckets: all ticks are placed anew. */
  private void reindex(ServerProgress at, long width) throws Exception {
    index.clear();
    at.bucketMicros = width;
    at.closedUntil = Long.MIN_VALUE;
    for (Tick tick : ticks.values()) {
      addToIndex(tick, width);
    }
  }

  /** Buckets of the index from (inclusive) one time to another. */
  private List<Long> indexed(long from, long to, long width) throws Exception {
    List<Long> found = new ArrayList<>();
    if (from != Long.MIN_VALUE && (to - from) / width <= 1_000) {
      for (long bucket = from; bucket < to; bucket += width) {
        if (index.contains(bucket)) {
          found.add(bucket);
        }
      }
      return found;
    }
    for (long bucket : index.keys()) {
      if (bucket >= from && bucket < to) {
        found.add(bucket);
      }
    }
    return found;
  }

  /** Where file systems' shares go; the two contexts of Flink have no common type for it. */
  private interface SideOutput {
    void output(OutputTag<FilesystemShare> tag, FilesystemShare share);
  }

  private void emitAll(
      SortedSet<Long> buckets,
      ServerProgress at,
      Site site,
      Collector<ServerBucket> out,
      SideOutput side)
      throws Exception {
    for (long start : buckets) {
      ServerBucket bucket = load(start, at);
      if (bucket != null) {
        out.collect(bucket);
        FilesystemShares.of(bucket, site).forEach(share -> side.output(SHARES, share));
      }
    }
  }

  /** Adds the ticks of one bucket up; null where none of them gave values. */
  private ServerBucket load(long start, ServerProgress at) throws Exception {
    BucketSums sums = new BucketSums();
    ServerBucket bucket = new ServerBucket();
    bucket.sentAt = Long.MAX_VALUE;
    for (long time : index.get(start)) {
      Tick tick = ticks.get(time);
      sums.add(TickDelta.of(tick, tick.cumulative ? before(tick, at.bucketMicros) : null));
      bucket.sentAt = Math.min(bucket.sentAt, tick.sentAt);
      bucket.origin = tick.origin;
    }
    if (sums.isEmpty()) {
      return null;
    }
    bucket.cluster = at.cluster;
    bucket.server = at.server;
    bucket.bucketStart = start;
    bucket.bucketSeconds = at.bucketMicros / 1e6;
    bucket.closedUntil = at.closedUntil;
    sums.fill(bucket);
    return bucket;
  }

  /** The tick before, as far back as it may be without a gap; or null. */
  private Tick before(Tick tick, long width) throws Exception {
    long earliest = tick.time - TickDelta.longestStep(tick);
    long first = bucket(earliest - Math.round(tick.intervalSeconds * 1e6), width);
    for (long bucket = bucket(tick.middle(), width); bucket >= first; bucket -= width) {
      long[] times = index.get(bucket);
      int last = times == null ? -1 : times.length - 1;
      while (last >= 0 && times[last] >= tick.time) {
        last--;
      }
      if (last >= 0) {
        return ticks.get(times[last]);
      }
    }
    return null;
  }

  private void prune(ServerProgress at) throws Exception {
    if (at.newestTick < at.pruneAt) {
      return;
    }
    long oldest = at.newestTick - retentionMicros();
    List<Long> old = new ArrayList<>();
    for (long time : ticks.keys()) {
      if (time <= oldest) {
        old.add(time);
      }
    }
    for (long time : old) {
      removeTick(time, at.bucketMicros);
    }
    at.pruneAt = at.newestTick + retentionMicros() / 10;
  }

  private void removeTick(long time, long width) throws Exception {
    Tick tick = ticks.get(time);
    ticks.remove(time);
    if (width == 0) {
      return;
    }
    long bucket = bucket(tick.middle(), width);
    long[] times = index.get(bucket);
    long[] left =
        times == null ? new long[0] : Arrays.stream(times).filter(t -> t != time).toArray();
    if (left.length == 0) {
      index.remove(bucket);
    } else {
      index.put(bucket, left);
    }
  }

  private void arrived(ServerProgress at, Tick tick, ReadOnlyContext context) {
    long now = context.timerService().currentProcessingTime();
    at.lastArrival = now;
    at.flushed = false;
    at.silenceMillis =
        Math.max(settings.silenceWait().toMillis(), Math.round(2000 * tick.intervalSeconds));
    // The timer may be far away: at the end of the retention, if the server was silent before.
    if (at.timer == 0 || at.timer > now + at.silenceMillis) {
      context.timerService().deleteProcessingTimeTimer(at.timer);
      at.timer = now + at.silenceMillis;
      context.timerService().registerProcessingTimeTimer(at.timer);
    }
  }

  /** One timer at a time a server: first its silence is awaited, then the end of the retention. */
  @Override
  public void onTimer(long time, OnTimerContext context, Collector<ServerBucket> out)
      throws Exception {
    ServerProgress at = progress.value();
    long silentSince = time - at.lastArrival;
    if (silentSince >= settings.tickRetention().toMillis() && at.flushed) {
      ticks.clear();
      index.clear();
      progress.clear();
      return;
    }
    if (silentSince >= at.silenceMillis && !at.flushed) {
      flushOpenBucket(at, out, context);
    }
    at.timer =
        at.lastArrival + (at.flushed ? settings.tickRetention().toMillis() : at.silenceMillis);
    at.timer = Math.max(at.timer, time + 1);
    context.timerService().registerProcessingTimeTimer(at.timer);
    progress.update(at);
  }

  private void flushOpenBucket(
      ServerProgress at, Collector<ServerBucket> out, OnTimerContext context) throws Exception {
    at.flushed = true;
    Site site = sites.of(at.cluster);
    if (site != null
        && at.bucketMicros == Sites.bucketMicros(site)
        && index.contains(at.closedUntil)) {
      emitAll(new TreeSet<>(List.of(at.closedUntil)), at, site, out, context::output);
    }
  }

  private static long bucket(long time, long width) {
    return Math.floorDiv(time, width) * width;
  }

  private long retentionMicros() {
    return settings.tickRetention().toMillis() * 1000;
  }
}
