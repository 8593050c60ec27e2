package org.weir.job;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;
import org.weir.analysis.BucketLoad;
import org.weir.analysis.LoadState;

/**
 * Finds the load of a run's file system in the seconds in which the run moved bytes. Keyed by
 * cluster and file system.
 *
 * <p>The answer leaves when the load is closed beyond the run's last bucket, or when the wait is
 * over; then it says what was missing. Buckets that come or grow after an answer give another one,
 * as long as the question is kept. No watermarks: the clocks of logs and samples have nothing in
 * common, and a load message says itself how far the load is closed.
 */
final class LoadJoin extends KeyedProcessFunction<String, LoadInput, LoadAnswer> {

  private static final long serialVersionUID = 1L;

  private final JobSettings settings;
  private transient MapState<Long, LoadBucket> buckets;
  private transient MapState<String, PendingAsk> pending;

  /** Answered in full; asked again only when a bucket changes that was known. */
  private transient MapState<String, PendingAsk> answered;

  private transient ValueState<Long> closedUntil;

  /** Processing time of the only registered timer. */
  private transient ValueState<Long> timer;

  LoadJoin(JobSettings settings) {
    this.settings = settings;
  }

  @Override
  public void open(OpenContext context) {
    StateTtlConfig ttl = ttl(settings.loadRetention());
    MapStateDescriptor<Long, LoadBucket> bucketsState =
        new MapStateDescriptor<>("buckets", Types.LONG, TypeInformation.of(LoadBucket.class));
    bucketsState.enableTimeToLive(ttl);
    buckets = getRuntimeContext().getMapState(bucketsState);
    ValueStateDescriptor<Long> closedState = new ValueStateDescriptor<>("closed-until", Types.LONG);
    closedState.enableTimeToLive(ttl);
    closedUntil = getRuntimeContext().getState(closedState);
    pending =
        getRuntimeContext()
            .getMapState(
                new MapStateDescriptor<>(
                    "pending", Types.STRING, TypeInformation.of(PendingAsk.class)));
    MapStateDescriptor<String, PendingAsk> answeredState =
        new MapStateDescriptor<>("answered", Types.STRING, TypeInformation.of(PendingAsk.class));
    answeredState.enableTimeToLive(ttl(settings.loadLateWait()));
    answered = getRuntimeContext().getMapState(answeredState);
    timer = getRuntimeContext().getState(new ValueStateDescriptor<>("timer", Types.LONG));
  }

  private static StateTtlConfig ttl(Duration time) {
    return StateTtlConfig.newBuilder(time)
        .cleanupIncrementally(10, false)
        .cleanupInRocksdbCompactFilter(1000)
        .build();
  }

  @Override
  public void processElement(LoadInput input, Context context, Collector<LoadAnswer> out)
      throws Exception {
    long now = context.timerService().currentProcessingTime();
    if (input.bucket != null) {
      takeBucket(input.bucket, out);
    } else {
      takeAsk(input.ask, now, out);
    }
    schedule(context);
  }

  private void takeBucket(LoadBucket bucket, Collector<LoadAnswer> out) throws Exception {
    LoadBucket known = buckets.get(bucket.start);
    if (known == null || bucket.version >= known.version) {
      buckets.put(bucket.start, bucket);
    }
    Long before = closedUntil.value();
    closedUntil.update(before == null ? bucket.closedUntil : Math.max(before, bucket.closedUntil));
    List<PendingAsk> asking = all(pending);
    if (known != null && bucket.version > known.version) {
      asking.addAll(all(answered));
    }
    for (PendingAsk waiting : asking) {
      answerIfBetter(waiting, false, out);
    }
  }

  private void takeAsk(LoadAsk ask, long now, Collector<LoadAnswer> out) throws Exception {
    PendingAsk waiting = new PendingAsk();
    waiting.ask = ask;
    waiting.answerAt =
        now + settings.loadWait().toMillis() + Math.round(1000 * ask.sampleIntervalSeconds);
    waiting.forgetAt = waiting.answerAt + settings.loadLateWait().toMillis();
    pending.put(ask.logId, waiting);
    answerIfBetter(waiting, false, out);
  }

  private void answerIfBetter(PendingAsk waiting, boolean waitOver, Collector<LoadAnswer> out)
      throws Exception {
    LoadAsk ask = waiting.ask;
    long closed = closedUntil.value() == null ? 0 : closedUntil.value();
    boolean covered = ask.starts[ask.starts.length - 1] + ask.bucketMicros <= closed;
    boolean definite = waitOver || waiting.answered || covered;
    if (!definite) {
      return;
    }
    LoadFacts facts = LoadFacts.of(ask.window().summarise(loads(ask, closed), true), true);
    facts.ticks = ticks(ask, closed);
    if (waiting.answered && facts.ticks <= waiting.ticksAnswered) {
      return;
    }
    out.collect(new LoadAnswer(ask, facts));
    waiting.answered = true;
    waiting.ticksAnswered = facts.ticks;
    boolean isClosed = facts.state.equals(LoadState.CLOSED.name());
    (isClosed ? answered : pending).put(ask.logId, waiting);
    if (isClosed) {
      pending.remove(ask.logId);
    }
  }

  /** Server ticks behind the closed buckets: what no later answer lowers. */
  private long ticks(LoadAsk ask, long closed) throws Exception {
    long ticks = 0;
    for (long start : ask.starts) {
      LoadBucket bucket = buckets.get(start);
      ticks += bucket != null && start + ask.bucketMicros <= closed ? bucket.version : 0;
    }
    return ticks;
  }

  private Map<Long, BucketLoad> loads(LoadAsk ask, long closed) throws Exception {
    Map<Long, BucketLoad> loads = new HashMap<>();
    for (long start : ask.starts) {
      LoadBucket bucket = buckets.get(start);
      if (bucket != null) {
        loads.put(start, bucket.forAnalysis(closed));
      }
    }
    return loads;
  }

  private static List<PendingAsk> all(MapState<String, PendingAsk> asks) throws Exception {
    List<PendingAsk> all = new ArrayList<>();
    asks.values().forEach(all::add);
    return all;
  }

  @Override
  public void onTimer(long time, OnTimerContext context, Collector<LoadAnswer> out)
      throws Exception {
    timer.clear();
    for (PendingAsk waiting : all(pending)) {
      if (waiting.forgetAt <= time) {
        pending.remove(waiting.ask.logId);
      } else if (!waiting.answered && waiting.answerAt <= time) {
        answerIfBetter(waiting, true, out);
      }
    }
    schedule(context);
  }

  /** Keeps one timer a key, for whatever is due first. */
  private void schedule(Context context) throws Exception {
    long next = Long.MAX_VALUE;
    for (PendingAsk waiting : all(pending)) {
      next = Math.min(next, waiting.answered ? waiting.forgetAt : waiting.answerAt);
    }
    Long registered = timer.value();
    if (registered != null && registered != next) {
      context.timerService().deleteProcessingTimeTimer(registered);
      timer.clear();
    }
    if (next != Long.MAX_VALUE) {
      context.timerService().registerProcessingTimeTimer(next);
      timer.update(next);
    }
  }
}
