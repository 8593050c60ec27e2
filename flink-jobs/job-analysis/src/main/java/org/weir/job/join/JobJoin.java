package org.weir.job.join;

import java.util.SortedMap;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.streaming.api.TimerService;
import org.apache.flink.streaming.api.functions.co.KeyedBroadcastProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;
import org.weir.flink.clickhouse.Rows;
import org.weir.flink.control.ControlSnapshot;
import org.weir.flink.kafka.KafkaMessage;
import org.weir.flink.kafka.KafkaOut;
import org.weir.job.control.Control;
import org.weir.job.control.JobSettings;
import org.weir.job.evaluate.RunState;
import org.weir.job.rows.JobMessages;
import org.weir.wire.JobResult;
import org.weir.wire.WireCodec;

/**
 * Joins the runs of a job with its submits, their load and its manifest. Keyed by cluster and job
 * id.
 *
 * <p>Inputs come in bursts, so they are gathered for a short while from the first on. Then each run
 * and result is evaluated of which more is known, and written if its version is higher than before
 * ({@link JobEvaluator}; which submit left a log, {@link org.weir.analysis.job.LogJobJoin}
 * decides). What is not known yet is written as waiting. State is cleared when nothing has happened
 * around the job id for the longest wall time and a week.
 */
public final class JobJoin
    extends KeyedBroadcastProcessFunction<String, JobInput, KafkaMessage, Rows> {

  public static final OutputTag<KafkaOut> RESULTS = new OutputTag<>("job-results") {};

  private static final long serialVersionUID = 1L;

  private final ControlSnapshot snapshot;
  private final JobSettings settings;

  private transient Control control;
  private transient JobEvaluator.Store store;
  private transient JobEvaluator evaluator;
  private transient WireCodec<JobResult> resultCodec;
  private transient ValueState<JobProgress> progress;

  public JobJoin(ControlSnapshot snapshot, JobSettings settings) {
    this.snapshot = snapshot;
    this.settings = settings;
  }

  @Override
  public void open(OpenContext context) {
    control = Control.of(snapshot);
    store =
        new JobEvaluator.Store(
            KeptInState.of(getRuntimeContext(), "submits", NewestMessage.class),
            KeptInState.of(getRuntimeContext(), "manifests", NewestMessage.class),
            KeptInState.of(getRuntimeContext(), "runs", RunState.class),
            KeptInState.of(getRuntimeContext(), "written-versions", Long.class));
    evaluator = new JobEvaluator(store, control, settings);
    resultCodec = WireCodec.of(JobResult.class);
    progress =
        getRuntimeContext().getState(new ValueStateDescriptor<>("progress", JobProgress.class));
  }

  @Override
  public void processBroadcastElement(KafkaMessage message, Context context, Collector<Rows> out) {
    control.take(message);
    evaluator.controlHasChanged();
  }

  @Override
  public void processElement(JobInput input, ReadOnlyContext context, Collector<Rows> out)
      throws Exception {
    TimerService timers = context.timerService();
    JobProgress at = progress.value() == null ? new JobProgress() : progress.value();
    at.lastArrival = timers.currentProcessingTime();
    if (at.siteWaitUntil == 0 && !control.knowsSite(input.cluster)) {
      at.cluster = input.cluster;
      at.siteLookAt = at.lastArrival + JobSettings.SITE_LOOK_MILLIS;
      at.siteWaitUntil = at.lastArrival + settings.siteWait().toMillis();
    }
    evaluator.take(input, at.lastArrival);
    changed(at, input.sentAt);
    setTimer(at, at.next(), timers);
    progress.update(at);
  }

  private void changed(JobProgress at, long sentAt) {
    if (at.resultsAt == 0) {
      at.resultsAt = at.lastArrival + settings.resultDelay().toMillis();
      at.sentAt = sentAt;
    } else if (sentAt > 0) {
      at.sentAt = at.sentAt == 0 ? sentAt : Math.min(at.sentAt, sentAt);
    }
  }

  @Override
  public void onTimer(long time, OnTimerContext context, Collector<Rows> out) throws Exception {
    JobProgress at = progress.value();
    long forgetAt = at.lastArrival + settings.jobRetention().toMillis();
    if (time >= forgetAt) {
      store.clear();
      progress.clear();
      return;
    }
    at.timer = 0;
    SortedMap<String, RunState> known = evaluator.runs();
    boolean isDue = at.resultsAt != 0 && at.resultsAt <= time;
    if (evaluator.endJoinWaits(known, time) | foundSite(at, time) | isDue) {
      evaluator.write(known, output(context, out, at.sentAt));
      at.resultsAt = 0;
      at.sentAt = 0;
    }
    long next = Math.min(at.next(), forgetAt);
    for (RunState run : known.values()) {
      next = run.joinWaitUntil == 0 ? next : Math.min(next, run.joinWaitUntil);
    }
    setTimer(at, next, context.timerService());
    progress.update(at);
  }

  /** Returns whether the site is there without which its runs were judged. */
  private boolean foundSite(JobProgress at, long time) {
    if (at.siteLookAt == 0 || at.siteLookAt > time) {
      return false;
    }
    boolean found = at.cluster != null && control.knowsSite(at.cluster);
    boolean waits = !found && time < at.siteWaitUntil;
    at.siteLookAt = waits ? time + JobSettings.SITE_LOOK_MILLIS : 0;
    return found;
  }

  private JobEvaluator.Output output(OnTimerContext context, Collector<Rows> out, long sentAt) {
    return new JobEvaluator.Output(
        (cluster, block) -> {
          if (!block.isEmpty()) {
            out.collect(block.build(cluster, sentAt));
          }
        },
        result -> context.output(RESULTS, JobMessages.message(result, resultCodec)));
  }

  /** Keeps one timer a key, for whatever is due first; one that comes too early does no harm. */
  private static void setTimer(JobProgress at, long next, TimerService timers) {
    if (at.timer != 0 && at.timer <= next) {
      return;
    }
    if (at.timer != 0) {
      timers.deleteProcessingTimeTimer(at.timer);
    }
    timers.registerProcessingTimeTimer(next);
    at.timer = next;
  }
}
