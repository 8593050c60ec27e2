package org.weir.job.join;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.TimerService;
import org.apache.flink.streaming.api.functions.co.KeyedBroadcastProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;
import org.weir.flink.clickhouse.RowBlock;
import org.weir.flink.clickhouse.Rows;
import org.weir.flink.control.ControlSnapshot;
import org.weir.flink.kafka.KafkaMessage;
import org.weir.flink.kafka.KafkaOut;
import org.weir.job.control.Control;
import org.weir.job.control.JobSettings;
import org.weir.job.evaluate.Completeness;
import org.weir.job.evaluate.EvaluatedJob;
import org.weir.job.evaluate.EvaluatedRun;
import org.weir.job.evaluate.InputVersions;
import org.weir.job.evaluate.Manifests;
import org.weir.job.evaluate.RecentRuns;
import org.weir.job.evaluate.RunState;
import org.weir.job.load.LoadAnswer;
import org.weir.job.rows.JobMessages;
import org.weir.job.rows.JobRows;
import org.weir.job.rows.RunRows;
import org.weir.job.run.RunSummary;
import org.weir.wire.JobManifest;
import org.weir.wire.JobResult;
import org.weir.wire.SchedulerJob;
import org.weir.wire.WireCodec;

/**
 * Brings together what is known of a job: its submits, its runs with their load, its manifest.
 * Keyed by cluster and job id.
 *
 * <p>Inputs come in bursts, so they are gathered for a short while from the first on. Then each run
 * and result is evaluated of which more is known, and written if its version is higher than before.
 * What is not known yet is written as waiting. State is cleared when nothing has happened around
 * the job id for the longest wall time and a week.
 */
public final class JobJoin
    extends KeyedBroadcastProcessFunction<String, JobInput, KafkaMessage, Rows> {

  public static final OutputTag<KafkaOut> RESULTS = new OutputTag<>("job-results") {};

  private static final long serialVersionUID = 1L;

  private final ControlSnapshot snapshot;
  private final JobSettings settings;

  private transient Control control;
  private transient RecentRuns recent;
  private transient WireCodec<SchedulerJob> submitCodec;
  private transient WireCodec<JobManifest> manifestCodec;
  private transient WireCodec<JobResult> resultCodec;

  /** By job_uid. */
  private transient MapState<String, NewestMessage> submits;

  /** By job_uid; by their second those that name none, which can belong to different submits. */
  private transient MapState<String, NewestMessage> manifests;

  /** By log id. */
  private transient MapState<String, RunState> runs;

  /** By job_uid: version of the last written result. */
  private transient MapState<String, Long> written;

  private transient ValueState<JobProgress> progress;

  public JobJoin(ControlSnapshot snapshot, JobSettings settings) {
    this.snapshot = snapshot;
    this.settings = settings;
  }

  @Override
  public void open(OpenContext context) {
    control = Control.of(snapshot);
    recent = new RecentRuns(control);
    submitCodec = WireCodec.of(SchedulerJob.class);
    manifestCodec = WireCodec.of(JobManifest.class);
    resultCodec = WireCodec.of(JobResult.class);
    submits = map("submits", NewestMessage.class);
    manifests = map("manifests", NewestMessage.class);
    runs = map("runs", RunState.class);
    written = map("written-versions", Long.class);
    progress =
        getRuntimeContext().getState(new ValueStateDescriptor<>("progress", JobProgress.class));
  }

  private <T> MapState<String, T> map(String name, Class<T> type) {
    return getRuntimeContext()
        .getMapState(new MapStateDescriptor<>(name, Types.STRING, TypeInformation.of(type)));
  }

  @Override
  public void processBroadcastElement(KafkaMessage message, Context context, Collector<Rows> out) {
    control.take(message);
    recent.clear();
  }

  @Override
  public void processElement(JobInput input, ReadOnlyContext context, Collector<Rows> out)
      throws Exception {
    TimerService timers = context.timerService();
    JobProgress at = progress.value();
    if (at == null) {
      at = new JobProgress();
    }
    at.lastArrival = timers.currentProcessingTime();
    if (at.siteWaitUntil == 0 && !control.knowsSite(input.cluster)) {
      at.cluster = input.cluster;
      at.siteLookAt = at.lastArrival + JobSettings.SITE_LOOK_MILLIS;
      at.siteWaitUntil = at.lastArrival + settings.siteWait().toMillis();
    }
    if (input.submit != null) {
      SchedulerJob job = submitCodec.decode(input.submit);
      putNewest(submits, job.getJobUid(), input.submit, InputVersions.of(job));
    } else if (input.manifest != null) {
      takeManifest(input);
    } else if (input.load != null) {
      takeLoad(input.load);
    } else if (input.baseline != null) {
      RunState state = runOrNew(input.baseline.logId);
      state.take(input.baseline.baseline);
      runs.put(input.baseline.logId, state);
    } else {
      takeRun(input.run, at.lastArrival);
    }
    changed(at, input.sentAt);
    look(at, at.next(), timers);
    progress.update(at);
  }

  private void takeManifest(JobInput input) throws Exception {
    JobManifest manifest = manifestCodec.decode(input.manifest);
    long version = InputVersions.of(manifest);
    String uid = manifest.getJobUid() == null ? "at " + version : manifest.getJobUid();
    putNewest(manifests, uid, input.manifest, version);
  }

  private static void putNewest(
      MapState<String, NewestMessage> state, String key, byte[] message, long version)
      throws Exception {
    NewestMessage known = state.get(key);
    if (known == null || known.version <= version) {
      state.put(key, new NewestMessage(message, version));
    }
  }

  private void takeLoad(LoadAnswer load) throws Exception {
    RunState state = runOrNew(load.logId);
    if (state.load == null || load.saysAtLeastAsMuchAs(state.load)) {
      state.load = load;
      runs.put(load.logId, state);
    }
  }

  private void takeRun(RunSummary run, long now) throws Exception {
    RunState state = runOrNew(run.logId);
    if (state.run == null) {
      state.joinWaitUntil = now + settings.joinWait().toMillis();
      if (mayHaveBeenForgotten(run, now)) {
        state.held = control.ruleIds();
      }
    }
    if (state.run == null || run.saysAtLeastAsMuchAs(state.run)) {
      state.run = run;
    }
    state.take(run.baseline);
    runs.put(run.logId, state);
    if (run.supersedes != null && !run.supersedes.equals(run.logId)) {
      RunState older = runOrNew(run.supersedes);
      older.supersededBy = run.logId;
      runs.put(run.supersedes, older);
    }
  }

  /** Whether rows of it may be left of which nothing is known here any more. */
  private boolean mayHaveBeenForgotten(RunSummary run, long now) {
    return run.endTime / 1000 + settings.jobRetention().toMillis() <= now;
  }

  private RunState runOrNew(String logId) throws Exception {
    RunState state = runs.get(logId);
    return state == null ? new RunState() : state;
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
    if (time >= at.lastArrival + settings.jobRetention().toMillis()) {
      submits.clear();
      manifests.clear();
      runs.clear();
      written.clear();
      progress.clear();
      return;
    }
    at.timer = 0;
    TreeMap<String, RunState> known = new TreeMap<>();
    for (Map.Entry<String, RunState> run : runs.entries()) {
      known.put(run.getKey(), run.getValue());
    }
    boolean isDue = at.resultsAt != 0 && at.resultsAt <= time;
    if (endJoinWaits(known, time) | foundSite(at, time) | isDue) {
      write(known, context, out, at.sentAt);
      at.resultsAt = 0;
      at.sentAt = 0;
    }
    long next = Math.min(at.next(), at.lastArrival + settings.jobRetention().toMillis());
    for (RunState run : known.values()) {
      next = run.joinWaitUntil == 0 ? next : Math.min(next, run.joinWaitUntil);
    }
    look(at, next, context.timerService());
    progress.update(at);
  }

  /** Returns whether a wait was over. */
  private boolean endJoinWaits(Map<String, RunState> known, long time) throws Exception {
    boolean any = false;
    for (Map.Entry<String, RunState> run : known.entrySet()) {
      RunState state = run.getValue();
      if (state.joinWaitUntil != 0 && state.joinWaitUntil <= time) {
        state.joinWaitUntil = 0;
        runs.put(run.getKey(), state);
        any = true;
      }
    }
    return any;
  }

  /** Returns whether the site is there without which its runs were judged. */
  private boolean foundSite(JobProgress at, long time) {
    if (at.siteLookAt == 0 || at.siteLookAt > time) {
      return false;
    }
    boolean found = control.knowsSite(at.cluster);
    boolean waits = !found && time < at.siteWaitUntil;
    at.siteLookAt = waits ? time + JobSettings.SITE_LOOK_MILLIS : 0;
    return found;
  }

  /** Writes each run and result of which more is known than was written before. */
  private void write(
      TreeMap<String, RunState> known, OnTimerContext context, Collector<Rows> out, long sentAt)
      throws Exception {
    List<SchedulerJob> jobs = new ArrayList<>();
    for (NewestMessage submit : submits.values()) {
      jobs.add(submitCodec.decode(submit.message));
    }
    List<EvaluatedRun> evaluated = new ArrayList<>();
    Set<String> superseded = new HashSet<>();
    for (Map.Entry<String, RunState> run : known.entrySet()) {
      RunState state = run.getValue();
      if (state.isInForce()) {
        evaluated.add(writeRun(state, jobs, out, sentAt));
      } else if (state.supersededBy != null) {
        superseded.add(run.getKey());
        retract(state, out, sentAt);
      }
    }
    writeResults(jobs, known.values(), evaluated, superseded, context, out, sentAt);
  }

  private EvaluatedRun writeRun(
      RunState state, List<SchedulerJob> jobs, Collector<Rows> out, long sentAt) throws Exception {
    EvaluatedRun evaluated = recent.evaluate(state, jobs);
    if (evaluated.isDecided() && state.joinWaitUntil != 0) {
      // For good: to wait again for what was decided would look like knowing less.
      state.joinWaitUntil = 0;
      runs.put(state.run.logId, state);
    }
    if (Long.compareUnsigned(evaluated.version(), state.version) > 0) {
      List<RowBlock> rows =
          List.of(RunRows.run(evaluated), RunRows.findings(evaluated, state.held));
      emit(rows, state.run.cluster, out, sentAt);
      state.version = evaluated.version();
      state.held = RunRows.findingIds(evaluated).toArray(String[]::new);
      runs.put(state.run.logId, state);
    }
    return evaluated;
  }

  private void retract(RunState state, Collector<Rows> out, long sentAt) throws Exception {
    if (state.run != null && state.version != RunRows.LAST_VERSION) {
      List<String> modules = state.run.readFeatures().modules();
      emit(RunRows.retraction(state.run, modules, state.held), state.run.cluster, out, sentAt);
      state.version = RunRows.LAST_VERSION;
      state.held = new String[0];
      runs.put(state.run.logId, state);
    }
  }

  private void writeResults(
      List<SchedulerJob> jobs,
      Collection<RunState> known,
      List<EvaluatedRun> evaluated,
      Set<String> superseded,
      OnTimerContext context,
      Collector<Rows> out,
      long sentAt)
      throws Exception {
    if (jobs.isEmpty()) {
      return;
    }
    List<JobManifest> looks = new ArrayList<>();
    for (NewestMessage manifest : manifests.values()) {
      looks.add(manifestCodec.decode(manifest.message));
    }
    int decided = (int) evaluated.stream().filter(EvaluatedRun::isDecided).count();
    Completeness.OfJob knowledge = Completeness.ofJob(jobs, looks, known, decided);
    for (SchedulerJob job : jobs) {
      String uid = job.getJobUid();
      JobManifest manifest = Manifests.of(job, jobs, looks);
      EvaluatedJob result =
          EvaluatedJob.of(job, manifest, evaluated, superseded, knowledge, control);
      Long before = written.get(uid);
      if (before == null || Long.compareUnsigned(result.version(), before) > 0) {
        written.put(uid, result.version());
        emit(List.of(JobRows.row(result)), job.getCluster(), out, sentAt);
        context.output(RESULTS, JobMessages.message(result, resultCodec));
      }
    }
  }

  private static void emit(
      List<RowBlock> blocks, String cluster, Collector<Rows> out, long sentAt) {
    for (RowBlock block : blocks) {
      if (!block.isEmpty()) {
        out.collect(block.build(cluster, sentAt));
      }
    }
  }

  /** Keeps one timer a key, for whatever is due first; one that comes too early does no harm. */
  private static void look(JobProgress at, long next, TimerService timers) {
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
