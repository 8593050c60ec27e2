package org.weir.job.load;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.TimerService;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;
import org.weir.analysis.load.KnownLoad;
import org.weir.analysis.load.LoadBucket;
import org.weir.analysis.load.LoadWindow;
import org.weir.job.control.JobSettings;
import org.weir.job.run.LoadFacts;

/**
 * Finds the load of one place of a run in the seconds in which the run moved bytes. Keyed by
 * cluster and file system, and by cluster and server, whose buckets hold those of its devices.
 *
 * <p>The answer leaves when the load is closed beyond the run's last bucket, or when the wait is
 * over; then it says what was missing. Buckets that come or grow after an answer give another one
 * soon, as long as the request is kept. A bucket touches only the requests that it is part of. No
 * watermarks: the clocks of logs and samples have nothing in common, and a load message says itself
 * how far the load is closed.
 */
public final class LoadJoin extends KeyedProcessFunction<String, LoadInput, LoadPart> {

  private static final long serialVersionUID = 1L;

  /** A run whose load comes bit by bit is answered anew no more often than this. */
  private static final long GATHERED_MILLIS = 2_000;

  private final JobSettings settings;
  private transient MapState<Long, LoadBucket> ofFilesystem;
  private transient MapState<Long, LoadBucket> ofServer;
  private transient ValueState<Long> closedUntil;
  private transient MapState<String, PendingRequest> requests;

  /** Starts of the buckets that came or grew a moment ago and that a request waits for. */
  private transient MapState<Long, Boolean> grown;

  /** Requests by the start of each of their buckets. */
  private transient IdsByTime byBucket;

  /** Requests by the end of their last bucket, as long as the load is not closed so far. */
  private transient IdsByTime open;

  /** Requests by the processing time at which something is due; each time has a timer. */
  private transient IdsByTime due;

  public LoadJoin(JobSettings settings) {
    this.settings = settings;
  }

  @Override
  public void open(OpenContext context) {
    ofFilesystem = buckets("buckets", settings.loadRetention());
    ofServer = buckets("server-buckets", settings.deviceLoadRetention());
    ValueStateDescriptor<Long> closedState = new ValueStateDescriptor<>("closed-until", Types.LONG);
    closedState.enableTimeToLive(ttl(settings.loadRetention()));
    closedUntil = getRuntimeContext().getState(closedState);
    requests =
        getRuntimeContext()
            .getMapState(
                new MapStateDescriptor<>(
                    "requests", Types.STRING, TypeInformation.of(PendingRequest.class)));
    grown =
        getRuntimeContext()
            .getMapState(new MapStateDescriptor<>("grown", Types.LONG, Types.BOOLEAN));
    byBucket = new IdsByTime(getRuntimeContext(), "requests-by-bucket");
    open = new IdsByTime(getRuntimeContext(), "requests-by-end");
    due = new IdsByTime(getRuntimeContext(), "requests-by-due-time");
  }

  private MapState<Long, LoadBucket> buckets(String name, Duration retention) {
    MapStateDescriptor<Long, LoadBucket> state =
        new MapStateDescriptor<>(name, Types.LONG, TypeInformation.of(LoadBucket.class));
    state.enableTimeToLive(ttl(retention));
    return getRuntimeContext().getMapState(state);
  }

  static StateTtlConfig ttl(Duration time) {
    return StateTtlConfig.newBuilder(time)
        .cleanupIncrementally(10, false)
        .cleanupInRocksdbCompactFilter(1000)
        .build();
  }

  @Override
  public void processElement(LoadInput input, Context context, Collector<LoadPart> out)
      throws Exception {
    if (input.bucket != null) {
      takeBucket(input.bucket, context.timerService(), out);
    } else {
      LoadRequest request = requireNonNull(input.request, "neither a bucket nor a request");
      takeRequest(request, context.timerService(), out);
    }
  }

  private void takeBucket(LoadBucket bucket, TimerService timers, Collector<LoadPart> out)
      throws Exception {
    MapState<Long, LoadBucket> buckets = bucket.devices.length > 0 ? ofServer : ofFilesystem;
    LoadBucket known = buckets.get(bucket.start);
    if (known == null || bucket.version > known.version) {
      buckets.put(bucket.start, bucket);
      if (!byBucket.at(bucket.start).isEmpty()) {
        grown.put(bucket.start, true);
        timers.registerProcessingTimeTimer(
            (timers.currentProcessingTime() / GATHERED_MILLIS + 1) * GATHERED_MILLIS);
      }
    }
    if (bucket.closedUntil > closed()) {
      closedUntil.update(bucket.closedUntil);
      for (String id : open.takeUntil(bucket.closedUntil)) {
        answerIfBetter(id, requests.get(id), false, out);
      }
    }
  }

  private void lookAt(long time, String id, TimerService timers) throws Exception {
    due.add(time, id);
    timers.registerProcessingTimeTimer(time);
  }

  private long closed() throws Exception {
    return closedUntil.value() == null ? Long.MIN_VALUE : closedUntil.value();
  }

  private void takeRequest(LoadRequest request, TimerService timers, Collector<LoadPart> out)
      throws Exception {
    String id = request.id();
    PendingRequest before = requests.get(id);
    if (before != null && before.request.state() > request.state()) {
      return;
    }
    if (before != null) {
      forget(id, before.request);
    }
    PendingRequest waiting = new PendingRequest();
    waiting.request = request;
    waiting.answerAt =
        timers.currentProcessingTime()
            + settings.loadWait().toMillis()
            + request.closesWithinMillis();
    waiting.forgetAt = waiting.answerAt + settings.loadLateWait().toMillis();
    requests.put(id, waiting);
    for (long start : request.starts) {
      byBucket.add(start, id);
    }
    if (request.end() > closed()) {
      open.add(request.end(), id);
    }
    lookAt(waiting.answerAt, id, timers);
    lookAt(waiting.forgetAt, id, timers);
    answerIfBetter(id, waiting, false, out);
  }

  private void forget(String id, LoadRequest request) throws Exception {
    requests.remove(id);
    for (long start : request.starts) {
      byBucket.remove(start, id);
    }
    open.remove(request.end(), id);
  }

  private void answerIfBetter(
      String id, PendingRequest waiting, boolean waitOver, Collector<LoadPart> out)
      throws Exception {
    LoadRequest request = waiting.request;
    if (!waitOver && !waiting.answered && request.end() > closed()) {
      return;
    }
    long closed = closed();
    Map<Long, LoadBucket> known = buckets(request);
    long samples =
        known.values().stream()
            .filter(bucket -> bucket.start + request.bucketMicros <= closed)
            .mapToLong(bucket -> bucket.version)
            .sum();
    if (waiting.answered && samples <= waiting.samplesAnswered) {
      return;
    }
    out.collect(new LoadPart(request, facts(request, new KnownLoad(known, closed)), samples));
    waiting.answered = true;
    waiting.samplesAnswered = samples;
    requests.put(id, waiting);
  }

  private Map<Long, LoadBucket> buckets(LoadRequest request) throws Exception {
    MapState<Long, LoadBucket> buckets = request.place.isServer() ? ofServer : ofFilesystem;
    Map<Long, LoadBucket> known = new HashMap<>();
    for (long start : request.starts) {
      LoadBucket bucket = buckets.get(start);
      if (bucket != null) {
        known.put(start, bucket);
      }
    }
    return known;
  }

  private static LoadFacts[] facts(LoadRequest request, KnownLoad known) {
    LoadWindow window = request.window();
    if (!request.place.isServer()) {
      return new LoadFacts[] {LoadFacts.of(known.beside(window), true)};
    }
    LoadFacts[] ofDevices = new LoadFacts[request.place.devices.length];
    for (int i = 0; i < ofDevices.length; i++) {
      ofDevices[i] = LoadFacts.of(known.beside(window, request.place.device(i)), true);
    }
    return ofDevices;
  }

  @Override
  public void onTimer(long time, OnTimerContext context, Collector<LoadPart> out) throws Exception {
    Set<String> touched = new LinkedHashSet<>(due.take(time));
    for (long start : grown.keys()) {
      touched.addAll(byBucket.at(start));
    }
    grown.clear();
    for (String id : touched) {
      PendingRequest waiting = requests.get(id);
      if (waiting != null && waiting.forgetAt <= time) {
        forget(id, waiting.request);
      } else if (waiting != null) {
        answerIfBetter(id, waiting, waiting.answerAt <= time, out);
      }
    }
  }
}
