package org.weir.storage.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.streaming.api.functions.co.KeyedBroadcastProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.weir.flink.control.ControlSnapshot;
import org.weir.flink.kafka.KafkaMessage;
import org.weir.site.Site;
import org.weir.storage.bucket.HourPart;
import org.weir.storage.bucket.ServerBucket;
import org.weir.storage.control.Sites;
import org.weir.storage.control.StorageSettings;
import org.weir.storage.sample.Sample;
import org.weir.storage.sample.SampleDelta;
import org.weir.storage.silence.Sighting;

/**
 * Samples of a server to its load buckets. Keyed by cluster, server and origin: an archive that is
 * read beside the live stream neither looks late nor disturbs it.
 *
 * <p>A bucket is emitted when a sample of a later bucket has come, again for each late sample, and
 * as it stands when the server falls silent. State is one entry a sample, so a sample that comes
 * twice counts once; it is bounded by the retention behind the newest sample and goes away with a
 * silent server. Without a published site nothing is emitted and the samples wait.
 *
 * <p>A clock that was ahead and is set right would make every right sample too late. By the time at
 * which such a sample was sent the newest one is known to be of the future: then all begins anew.
 */
public final class ServerLoadFunction
    extends KeyedBroadcastProcessFunction<String, Sample, KafkaMessage, ServerBucket> {

  /** Contributions to the file systems of the site. */
  public static final OutputTag<ServerBucket> SHARES = new OutputTag<>("filesystem-shares") {};

  /** Contributions to the hours of the server and its devices. */
  public static final OutputTag<HourPart> HOURS = new OutputTag<>("server-hours") {};

  /** Signs of life of the servers, live and recent ones only. */
  public static final OutputTag<Sighting> SIGHTINGS = new OutputTag<>("sightings") {};

  /** By time. */
  static final MapStateDescriptor<Long, Sample> SAMPLES =
      new MapStateDescriptor<>("samples-by-time", Types.LONG, TypeInformation.of(Sample.class));

  /** Start of a bucket to the times of its samples, ascending. */
  static final MapStateDescriptor<Long, long[]> INDEX =
      new MapStateDescriptor<>(
          "times-by-bucket", Types.LONG, PrimitiveArrayTypeInfo.LONG_PRIMITIVE_ARRAY_TYPE_INFO);

  private static final long serialVersionUID = 1L;

  private static final Logger LOG = LoggerFactory.getLogger(ServerLoadFunction.class);

  /** Width of the buckets in the index while there is no site. */
  private static final long WITHOUT_SITE_MICROS = Duration.ofMinutes(1).toMillis() * 1000;

  private final ControlSnapshot control;
  private final StorageSettings settings;

  private transient Sites sites;
  private transient MapState<Long, Sample> samples;
  private transient MapState<Long, long[]> index;
  private transient ValueState<ServerProgress> progress;
  private transient Counter tooLate;
  private transient Counter late;
  private transient Counter tooLong;

  /** Servers of which that was told since the start. */
  private transient Set<String> toldTooLong;

  private transient Counter setBack;
  private transient Counter restarts;
  private transient Counter held;
  private transient long lagMillis;

  public ServerLoadFunction(ControlSnapshot control, StorageSettings settings) {
    this.control = control;
    this.settings = settings;
  }

  @Override
  public void open(OpenContext context) {
    sites = new Sites(control);
    samples = getRuntimeContext().getMapState(SAMPLES);
    index = getRuntimeContext().getMapState(INDEX);
    progress =
        getRuntimeContext().getState(new ValueStateDescriptor<>("progress", ServerProgress.class));
    MetricGroup metrics = getRuntimeContext().getMetricGroup();
    tooLate = metrics.counter("samplesTooLate");
    late = metrics.counter("samplesLate");
    tooLong = metrics.counter("samplesTooLong");
    toldTooLong = new HashSet<>();
    setBack = metrics.counter("clocksSetBack");
    restarts = metrics.counter("deviceRestarts");
    held = metrics.counter("samplesHeldSinceStart");
    metrics.<Long, Gauge<Long>>gauge("sampleLagMillis", () -> lagMillis);
  }

  @Override
  public void processBroadcastElement(
      KafkaMessage message, Context context, Collector<ServerBucket> out) {
    sites.take(message);
  }

  @Override
  public void processElement(Sample sample, ReadOnlyContext context, Collector<ServerBucket> out)
      throws Exception {
    ServerProgress at = progress.value();
    if (at == null) {
      at = begin(sample);
    }
    if (at.newestSample != Long.MIN_VALUE && sample.time <= at.newestSample - retentionMicros()) {
      if (at.newestSample <= sample.sentAt + retentionMicros()) {
        tooLate.inc();
        return;
      }
      setBack.inc();
      at = beginAnew(at, sample);
    }
    arrived(at, sample, context);
    if (sample.time > at.newestSample && isLive(sample, at.lastArrival)) {
      int devices = Arrays.hashCode(sample.devices);
      context.output(SIGHTINGS, Sighting.of(sample, devices != at.devicesSighted));
      at.devicesSighted = devices;
    }
    Sample known = sample.time > at.newestSample ? null : samples.get(sample.time);
    if (!sample.sameAs(known)) {
      if (known == null) {
        held.inc();
      }
      if (sample.time < at.newestSample) {
        late.inc();
      }
      Site site = sites.of(sample.cluster);
      if (site == null) {
        keep(sample, at);
        addToIndex(sample, at.bucketMicros == 0 ? WITHOUT_SITE_MICROS : at.bucketMicros);
      } else {
        emitAll(place(at, sample, site), at, site, out, context);
      }
      prune(at);
    }
    progress.update(at);
  }

  private static ServerProgress begin(Sample sample) {
    ServerProgress at = new ServerProgress();
    at.cluster = sample.cluster;
    at.server = sample.server;
    at.origin = sample.origin;
    return at;
  }

  private ServerProgress beginAnew(ServerProgress before, Sample sample) throws Exception {
    forgetSamples();
    ServerProgress at = begin(sample);
    at.begunAt = sample.sentAt;
    at.timer = before.timer;
    return at;
  }

  private void forgetSamples() throws Exception {
    for (long[] times : index.values()) {
      held.dec(times.length);
    }
    samples.clear();
    index.clear();
  }

  /** Old samples, archived or sent again, are no sign of life, whatever they say of themselves. */
  private boolean isLive(Sample sample, long now) {
    long oldest = now * 1000 - retentionMicros();
    return sample.origin.equals("live") && sample.time > oldest && sample.sentAt > oldest;
  }

  private void keep(Sample sample, ServerProgress at) throws Exception {
    samples.put(sample.time, sample);
    if (sample.time >= at.newestSample) {
      at.newestSample = sample.time;
      at.newestMiddle = sample.middle();
    }
  }

  /**
   * Takes the sample in; returns the closed buckets that are new or changed, with what was emitted
   * of them before.
   */
  private SortedMap<Long, ServerBucket> place(ServerProgress at, Sample sample, Site site)
      throws Exception {
    long width = Sites.bucketMicros(site);
    SortedMap<Long, ServerBucket> changed = new TreeMap<>();
    long closedBefore = at.closedUntil;
    if (at.bucketMicros != width) {
      keep(sample, at);
      reindex(at, width);
      closedBefore = Long.MIN_VALUE;
    } else {
      // A cumulative sample also gives its successor the value that it lacked.
      long last = sample.time + (sample.cumulative ? SampleDelta.longestStep(sample) : 0);
      long first = bucket(sample.middle(), width);
      for (long bucket = first; bucket <= last && bucket < closedBefore; bucket += width) {
        if (bucket == first || index.contains(bucket)) {
          changed.put(bucket, load(bucket, at));
        }
      }
      keep(sample, at);
      addToIndex(sample, width);
      countIfTooLong(sample, width);
    }
    at.closedUntil = Math.max(at.closedUntil, bucket(at.newestMiddle, width));
    for (long bucket : indexed(closedBefore, at.closedUntil, width)) {
      changed.put(bucket, flushed(at, bucket));
    }
    return changed;
  }

  /** What was emitted of a bucket while it was open; or null. */
  private static ServerBucket flushed(ServerProgress at, long start) {
    ServerBucket bucket = at.flushedBucket;
    return bucket != null && bucket.bucketStart == start ? bucket : null;
  }

  private void addToIndex(Sample sample, long width) throws Exception {
    long bucket = bucket(sample.middle(), width);
    long[] times = index.get(bucket);
    if (times == null) {
      index.put(bucket, new long[] {sample.time});
    } else if (Arrays.binarySearch(times, sample.time) < 0) {
      long[] more = Arrays.copyOf(times, times.length + 1);
      more[times.length] = sample.time;
      Arrays.sort(more);
      index.put(bucket, more);
    }
  }

  /** The first site, or one with another width of buckets: all samples are placed anew. */
  private void reindex(ServerProgress at, long width) throws Exception {
    index.clear();
    at.bucketMicros = width;
    at.flushedBucket = null;
    at.closedUntil = Long.MIN_VALUE;
    for (Sample sample : samples.values()) {
      addToIndex(sample, width);
      countIfTooLong(sample, width);
    }
  }

  private void countIfTooLong(Sample sample, long width) {
    if (spansBuckets(sample, width)) {
      tooLong.inc();
      if (toldTooLong.add(sample.cluster + "/" + sample.server)) {
        LOG.warn(
            "Server {} of {}: a sample covers {} s, over 1.5 load buckets of {} s, and gives no load;"
                + " if all do, raise sample_interval_seconds and load_bucket_seconds of the site",
            sample.server,
            sample.cluster,
            sample.intervalSeconds,
            width / 1e6);
      }
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

  private void emitAll(
      SortedMap<Long, ServerBucket> buckets,
      ServerProgress at,
      Site site,
      Collector<ServerBucket> out,
      ReadOnlyContext context)
      throws Exception {
    for (Map.Entry<Long, ServerBucket> entry : buckets.entrySet()) {
      ServerBucket bucket = load(entry.getKey(), at);
      if (bucket == null) {
        continue;
      }
      ServerBucket before = entry.getValue();
      restarts.inc(bucket.restarts - (before == null ? 0 : before.restarts));
      out.collect(bucket);
      context.output(HOURS, HourPart.of(bucket, before));
      for (Site.FileSystem filesystem : site.fileSystems()) {
        ServerBucket share = bucket.shareOf(filesystem.id(), sites.devices(filesystem));
        if (share.deviceIds.length > 0) {
          context.output(SHARES, share);
        }
      }
    }
  }

  /** Adds the samples of one bucket up; null where none of them gave values. */
  private ServerBucket load(long start, ServerProgress at) throws Exception {
    BucketSums sums = new BucketSums();
    ServerBucket bucket = new ServerBucket();
    bucket.sentAt = Long.MAX_VALUE;
    long[] times = index.get(start);
    if (times == null) {
      return null;
    }
    Sample previous = null;
    for (long time : times) {
      Sample sample = samples.get(time);
      if (!spansBuckets(sample, at.bucketMicros)) {
        if (previous == null && sample.cumulative) {
          previous = before(sample, at.bucketMicros);
        }
        sums.add(SampleDelta.of(sample, previous));
        bucket.sentAt = Math.min(bucket.sentAt, sample.sentAt);
      }
      previous = sample;
    }
    if (sums.isEmpty()) {
      return null;
    }
    bucket.cluster = at.cluster;
    bucket.server = at.server;
    bucket.bucketStart = start;
    bucket.bucketSeconds = at.bucketMicros / 1e6;
    bucket.closedUntil = at.closedUntil;
    bucket.begunAt = at.begunAt;
    bucket.origin = at.origin;
    bucket.restarts = sums.restarts();
    sums.fill(bucket);
    return bucket;
  }

  /**
   * Whether what the sample tells happened in several buckets: nobody knows how much in which, so
   * none of them has it. A sampler that stalled sends such a sample.
   */
  private static boolean spansBuckets(Sample sample, long width) {
    return sample.intervalSeconds * 1e6 > SampleDelta.LONGEST_STEP_INTERVALS * width;
  }

  /** The sample before, as far back as it may be without a gap; or null. */
  private Sample before(Sample sample, long width) throws Exception {
    long earliest = sample.time - SampleDelta.longestStep(sample);
    long first = bucket(earliest - Math.round(sample.intervalSeconds * 1e6), width);
    for (long bucket = bucket(sample.middle(), width); bucket >= first; bucket -= width) {
      long[] times = index.get(bucket);
      int last = times == null ? -1 : times.length - 1;
      while (last >= 0 && times[last] >= sample.time) {
        last--;
      }
      if (last >= 0) {
        return samples.get(times[last]);
      }
    }
    return null;
  }

  private void prune(ServerProgress at) throws Exception {
    if (at.newestSample < at.pruneAt) {
      return;
    }
    // A little longer than samples are taken in, so that those beside a late one are still there.
    long oldest = at.newestSample - retentionMicros() - retentionMicros() / 10;
    // By the index, as to go through the samples would read all of their values.
    Map<Long, long[]> old = new HashMap<>();
    for (Map.Entry<Long, long[]> bucket : index.entries()) {
      if (bucket.getValue()[0] <= oldest) {
        old.put(bucket.getKey(), bucket.getValue());
      }
    }
    for (Map.Entry<Long, long[]> bucket : old.entrySet()) {
      prune(bucket.getKey(), bucket.getValue(), oldest);
    }
    at.pruneAt = at.newestSample + retentionMicros() / 10;
  }

  private void prune(long bucket, long[] times, long oldest) throws Exception {
    int gone = 0;
    while (gone < times.length && times[gone] <= oldest) {
      samples.remove(times[gone++]);
      held.dec();
    }
    if (gone == times.length) {
      index.remove(bucket);
    } else {
      index.put(bucket, Arrays.copyOfRange(times, gone, times.length));
    }
  }

  private void arrived(ServerProgress at, Sample sample, ReadOnlyContext context) {
    long now = context.timerService().currentProcessingTime();
    at.lastArrival = now;
    lagMillis = now - sample.time / 1000;
    at.flushed = false;
    at.silenceMillis =
        Math.max(settings.silenceWait().toMillis(), Math.round(2000 * sample.intervalSeconds));
    // The timer may be far away: at the end of the retention, if the server was silent before.
    if (at.timer == 0 || at.timer > now + at.silenceMillis) {
      context.timerService().deleteProcessingTimeTimer(at.timer);
      at.timer = now + at.silenceMillis;
      context.timerService().registerProcessingTimeTimer(at.timer);
    }
  }

  /** Each server has one timer: first for falling silent, then for dropping its state. */
  @Override
  public void onTimer(long time, OnTimerContext context, Collector<ServerBucket> out)
      throws Exception {
    ServerProgress at = progress.value();
    long silentSince = time - at.lastArrival;
    if (silentSince >= settings.sampleRetention().toMillis() && at.flushed) {
      forgetSamples();
      progress.clear();
      return;
    }
    if (silentSince >= at.silenceMillis && !at.flushed) {
      flushOpenBucket(at, out, context);
    }
    at.timer =
        at.lastArrival + (at.flushed ? settings.sampleRetention().toMillis() : at.silenceMillis);
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
      SortedMap<Long, ServerBucket> open = new TreeMap<>();
      open.put(at.closedUntil, flushed(at, at.closedUntil));
      emitAll(open, at, site, out, context);
      at.flushedBucket = load(at.closedUntil, at);
    }
  }

  private static long bucket(long time, long width) {
    return Math.floorDiv(time, width) * width;
  }

  private long retentionMicros() {
    return settings.sampleRetention().toMillis() * 1000;
  }
}
