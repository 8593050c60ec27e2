package org.weir.storage.load;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.streaming.api.functions.co.KeyedBroadcastProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;
import org.weir.flink.control.ControlSnapshot;
import org.weir.flink.kafka.KafkaMessage;
import org.weir.load.bucket.DevicePart;
import org.weir.load.bucket.FilesystemLoad;
import org.weir.load.bucket.ServerBucket;
import org.weir.load.gather.FilesystemBuckets;
import org.weir.load.gather.FilesystemProgress;
import org.weir.site.Site;
import org.weir.storage.control.Awake;
import org.weir.storage.control.Sites;
import org.weir.storage.control.StorageSettings;
import org.weir.storage.trouble.FilesystemVitals;

/**
 * Adds shares of servers up to the load of a file system. Keyed by cluster, file system, origin and
 * width of the buckets.
 *
 * <p>A bucket is emitted when every expected server has closed it, or without the missing ones
 * after a wait, and again for each share that arrives or grows later. Servers are read at speeds of
 * their own while a backlog is caught up, so buckets stay until the slowest one is past them.
 */
public final class FilesystemLoadFunction
    extends KeyedBroadcastProcessFunction<String, ServerBucket, KafkaMessage, FilesystemLoad> {

  /** How the file systems do, live and recent; each bucket again when it has changed. */
  public static final OutputTag<FilesystemVitals> VITALS = new OutputTag<>("filesystem-vitals") {};

  private static final long serialVersionUID = 1L;

  private final ControlSnapshot control;
  private final StorageSettings settings;

  private transient Sites sites;
  private transient Awake awake;
  private transient FilesystemBuckets buckets;
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
        new FilesystemBuckets(
            new ShareState(getRuntimeContext()), settings.sampleRetention().toMillis() * 1000);
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
    FilesystemProgress at = progress.value() == null ? begin(share, now) : progress.value();
    FilesystemBuckets.note(at, share, now);
    emit(buckets.take(at, share, expectedServers(at), now), at, context, out);
    buckets.prune(at, expectedServers(at), server -> isSilent(at, server, now), now);
    if (at.timer == 0) {
      at.timer = now + waitMillis(at);
      context.timerService().registerProcessingTimeTimer(at.timer);
    }
    progress.update(at);
  }

  private static FilesystemProgress begin(ServerBucket share, long now) {
    FilesystemProgress at = new FilesystemProgress();
    at.cluster = share.cluster;
    at.filesystem = share.filesystem;
    at.firstArrival = now;
    return at;
  }

  private Set<String> expectedServers(FilesystemProgress at) {
    Site site = sites.of(at.cluster);
    Site.FileSystem filesystem = site == null ? null : site.fileSystem(at.filesystem);
    return filesystem == null ? at.closedUntil.keySet() : filesystem.devices().keySet();
  }

  /** Whether a server has not been heard of for long, the time apart in which the job was down. */
  private boolean isSilent(FilesystemProgress at, String server, long now) {
    long heardAt = at.heardAt.getOrDefault(server, at.firstArrival);
    return awake.missed(heardAt, now) >= settings.sampleRetention().toMillis();
  }

  private void emit(
      SortedSet<Long> starts,
      FilesystemProgress at,
      ReadOnlyContext context,
      Collector<FilesystemLoad> out)
      throws Exception {
    for (long start : starts) {
      Map<String, DevicePart> devices = new LinkedHashMap<>();
      FilesystemLoad load = buckets.load(start, at, expectedServers(at), devices);
      out.collect(load);
      Site site = sites.of(load.cluster);
      if (site != null && isLive(load, site, context)) {
        context.output(VITALS, FilesystemVitals.of(load, devices, site));
      }
    }
  }

  /**
   * Whether its troubles matter: those of old samples, archived or sent again, are over, and those
   * of a clock far ahead would make the right ones look old.
   */
  private boolean isLive(FilesystemLoad load, Site site, ReadOnlyContext context) {
    long distance = Math.abs(context.currentProcessingTime() * 1000 - load.bucketStart);
    return load.origin.equals("live")
        && distance < settings.sampleRetention().toMillis() * 1000
        && site.fileSystem(load.filesystem) != null;
  }

  /** Each file system has one timer: for buckets that wait, then for dropping its state. */
  @Override
  public void onTimer(long time, OnTimerContext context, Collector<FilesystemLoad> out)
      throws Exception {
    FilesystemProgress at = progress.value();
    long wait = waitMillis(at);
    emit(buckets.waitingSince(time - wait), at, context, out);
    Long waiting = buckets.firstWaiting();
    long forgetAt = at.lastArrival + settings.sampleRetention().toMillis();
    if (waiting == null && time >= forgetAt) {
      buckets.clear();
      progress.clear();
      return;
    }
    // While shares keep coming the next wait is never further away than one wait.
    long next = Math.min(forgetAt, waiting == null ? time + wait : waiting + wait);
    at.timer = Math.max(time + 1, next);
    context.timerService().registerProcessingTimeTimer(at.timer);
    progress.update(at);
  }

  private long waitMillis(FilesystemProgress at) {
    Site site = sites.of(at.cluster);
    double slowest = 0;
    if (site != null) {
      Set<String> expected = expectedServers(at);
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
