package org.weir.storage.load;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
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
import org.weir.load.bucket.ServerBucket;
import org.weir.load.gather.SampleStore;
import org.weir.load.gather.ServerBuckets;
import org.weir.load.gather.ServerProgress;
import org.weir.load.sample.Sample;
import org.weir.site.Site;
import org.weir.storage.control.Sites;
import org.weir.storage.control.StorageSettings;
import org.weir.storage.hours.HourPart;
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
 * <p>{@code org.weir.load.gather.Lateness} in the module {@code flink-jobs/load} decides which
 * samples come too late.
 *
 * <p>A clock that was ahead and is set right would make every right sample too late. By the time at
 * which such a sample was sent the newest one is known to be of the future: then it starts over.
 */
public final class ServerLoadFunction
    extends KeyedBroadcastProcessFunction<String, Sample, KafkaMessage, ServerBucket> {

  /** Contributions to the file systems of the site. */
  public static final OutputTag<ServerBucket> SHARES = new OutputTag<>("filesystem-shares") {};

  /** Contributions to the hours of the server and its devices. */
  public static final OutputTag<HourPart> HOURS = new OutputTag<>("server-hours") {};

  /** Signs of life of the servers, live and recent ones only. */
  public static final OutputTag<Sighting> SIGHTINGS = new OutputTag<>("sightings") {};

  private static final long serialVersionUID = 1L;

  private static final Logger LOG = LoggerFactory.getLogger(ServerLoadFunction.class);

  private final ControlSnapshot control;
  private final StorageSettings settings;

  private transient Sites sites;
  private transient SampleStore samples;
  private transient ServerBuckets buckets;
  private transient ValueState<ServerProgress> progress;
  private transient Counter tooLate;
  private transient Counter late;
  private transient Counter tooLong;

  /** Servers of which that was logged since the start. */
  private transient Set<String> loggedTooLong;

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
    samples = new SampleState(getRuntimeContext());
    buckets = new ServerBuckets(samples, retentionMicros(), this::countTooLong);
    progress =
        getRuntimeContext().getState(new ValueStateDescriptor<>("progress", ServerProgress.class));
    MetricGroup metrics = getRuntimeContext().getMetricGroup();
    tooLate = metrics.counter("samplesTooLate");
    late = metrics.counter("samplesLate");
    tooLong = metrics.counter("samplesTooLong");
    loggedTooLong = new HashSet<>();
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
    if (buckets.isTooLate(at, sample)) {
      if (at.newestSample <= sample.sentAt + retentionMicros()) {
        tooLate.inc();
        return;
      }
      setBack.inc();
      at = startOver(at, sample);
    }
    arrived(at, sample, context);
    if (sample.time > at.newestSample && isLive(sample, at.lastArrival)) {
      int devices = Arrays.hashCode(sample.devices);
      context.output(SIGHTINGS, Sighting.of(sample, devices != at.devicesSighted));
      at.devicesSighted = devices;
    }
    Sample known = sample.time > at.newestSample ? null : samples.sample(sample.time);
    if (!sample.sameAs(known)) {
      if (known == null) {
        held.inc();
      }
      if (sample.time < at.newestSample) {
        late.inc();
      }
      Site site = sites.of(sample.cluster);
      if (site == null) {
        buckets.placeWithoutSite(at, sample);
      } else {
        emitAll(buckets.place(at, sample, site.loadBucketMicros()), at, site, out, context);
      }
      held.dec(buckets.prune(at));
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

  private ServerProgress startOver(ServerProgress before, Sample sample) throws Exception {
    held.dec(buckets.forget());
    ServerProgress at = begin(sample);
    at.begunAt = sample.sentAt;
    at.timer = before.timer;
    return at;
  }

  /** Old samples, archived or sent again, are no sign of life, whatever they say of themselves. */
  private boolean isLive(Sample sample, long now) {
    long oldest = now * 1000 - retentionMicros();
    return sample.origin.equals("live") && sample.time > oldest && sample.sentAt > oldest;
  }

  private void countTooLong(Sample sample, long width) {
    tooLong.inc();
    if (loggedTooLong.add(sample.cluster + "/" + sample.server)) {
      LOG.warn(
          "Server {} of {}: a sample covers {} s, over 1.5 load buckets of {} s, and gives no load;"
              + " if all do, raise sample_interval_seconds and load_bucket_seconds of the site",
          sample.server,
          sample.cluster,
          sample.intervalSeconds,
          width / 1e6);
    }
  }

  private void emitAll(
      SortedMap<Long, ServerBucket> changed,
      ServerProgress at,
      Site site,
      Collector<ServerBucket> out,
      ReadOnlyContext context)
      throws Exception {
    for (Map.Entry<Long, ServerBucket> entry : changed.entrySet()) {
      ServerBucket bucket = buckets.load(entry.getKey(), at);
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
      held.dec(buckets.forget());
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
    if (site != null && at.bucketMicros == site.loadBucketMicros() && buckets.has(at.closedUntil)) {
      SortedMap<Long, ServerBucket> open = new TreeMap<>();
      open.put(at.closedUntil, ServerBuckets.flushed(at, at.closedUntil));
      emitAll(open, at, site, out, context);
      at.flushedBucket = buckets.load(at.closedUntil, at);
    }
  }

  private long retentionMicros() {
    return settings.sampleRetention().toMillis() * 1000;
  }
}
