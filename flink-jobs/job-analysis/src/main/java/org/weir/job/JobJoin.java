package org.weir.job;

import java.util.ArrayList;
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
import org.weir.wire.JobManifest;
import org.weir.wire.JobResult;
import org.weir.wire.SchedulerJob;
import org.weir.wire.WireCodec;

/**
 * Brings together what is known of a job: its submits, its runs with their load, its manifest.
 * Keyed by cluster and job id.
 *
 * <p>Every input re-evaluates the runs that it touches, and what has a higher version than before
 * is written at once; a job's result is written at most once in a short while, because its inputs
 * come in bursts. What is not known yet is written as waiting. State is cleared when nothing has
 * happened around the job id for the longest wall time and a week.
 */
final class JobJoin extends KeyedBroadcastProcessFunction<String, JobInput, KafkaMessage, Rows> {

  static final OutputTag<KafkaOut> RESULTS = new OutputTag<>("job-results") {};

  private static final long serialVersionUID = 1L;

  private final ControlSnapshot snapshot;
  private final JobSettings settings;

  private transient Control control;
  private transient RecentFeatures features;
  private transient WireCodec<SchedulerJob> submitCodec;
  private transient WireCodec<JobManifest> manifestCodec;
  private transient WireCodec<JobResult> resultCodec;

  /** By job_uid. */
  private transient MapState<String, Newest> submits;

  /** By job_uid; by their second those that name none, which can belong to different submits. */
  private transient MapState<String, Newest> manifests;

  /** By log id. */
  private transient MapState<String, RunState> runs;

  /** By job_uid: version of the last written result. */
  private transient MapState<String, Long> written;

  private transient ValueState<JobProgress> progress;

  JobJoin(ControlSnapshot snapshot, JobSettings settings) {
    this.snapshot = snapshot;
    this.settings = settings;
  }

  @Override
  public void open(OpenContext context) {
    control = new Control(snapshot);
    features = new RecentFeatures();
    submitCodec = WireCodec.of(SchedulerJob.class);
    manifestCodec = WireCodec.of(JobManifest.class);
    resultCodec = WireCodec.of(JobResult.class);
    submits = map("submits", Newest.class);
    manifests = map("manifests", Newest.class);
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
      takeSubmit(input, out);
    } else if (input.manifest != null) {
      takeManifest(input);
    } else if (input.load != null) {
      takeLoad(input, out);
    } else if (input.baseline != null) {
      takeBaseline(input.baseline, out);
    } else {
      takeRun(input, at.lastArrival, out);
    }
    resultsChanged(at, input.sentAt, at.lastArrival);
    schedule(at, timers);
    progress.update(at);
  }

  private void takeSubmit(JobInput input, Collector<Rows> out) throws Exception {
    SchedulerJob job = submitCodec.decode(input.submit);
    if (putNewest(submits, job.getJobUid(), input.submit, DecodeSchedulerJobs.version(job))) {
      writeRuns(out, input.sentAt);
    }
  }

  private void takeManifest(JobInput input) throws Exception {
    JobManifest manifest = manifestCodec.decode(input.manifest);
    long version = DecodeManifests.version(manifest);
    String uid = manifest.getJobUid() == null ? "at " + version : manifest.getJobUid();
    putNewest(manifests, uid, input.manifest, version);
  }

  private static boolean putNewest(
      MapState<String, Newest> state, String key, byte[] message, long version) throws Exception {
    Newest known = state.get(key);
    if (known != null && known.version > version) {
      return false;
    }
    state.put(key, new Newest(message, version));
    return true;
  }

  private void takeLoad(JobInput input, Collector<Rows> out) throws Exception {
    RunState state = runOrNew(input.load.logId);
    if (state.load == null || input.load.saysAtLeastAsMuchAs(state.load)) {
      state.load = input.load;
    }
    write(input.load.logId, state, submitted(), out, input.sentAt);
  }

  private void takeBaseline(BaselineAnswer answer, Collector<Rows> out) throws Exception {
    RunState state = runOrNew(answer.logId);
    state.take(answer.baseline);
    write(answer.logId, state, submitted(), out, 0);
  }

  private void takeRun(JobInput input, long now, Collector<Rows> out) throws Exception {
    RunSummary run = input.run;
    RunState state = runOrNew(run.logId);
    if (state.run == null) {
      state.joinWaitUntil = now + settings.joinWait().toMillis();
    }
    if (state.run == null || run.parts() >= state.run.parts()) {
      state.run = run;
    }
    state.take(run.baseline);
    write(run.logId, state, submitted(), out, input.sentAt);
    if (run.supersedes != null && !run.supersedes.equals(run.logId)) {
      RunState older = runOrNew(run.supersedes);
      older.supersededBy = run.logId;
      write(run.supersedes, older, List.of(), out, input.sentAt);
    }
  }

  private RunState runOrNew(String logId) throws Exception {
    RunState state = runs.get(logId);
    return state == null ? new RunState() : state;
  }

  private List<SchedulerJob> submitted() throws Exception {
    List<SchedulerJob> jobs = new ArrayList<>();
    for (Newest submit : submits.values()) {
      jobs.add(submitCodec.decode(submit.message));
    }
    return jobs;
  }

  private TreeMap<String, RunState> allRuns() throws Exception {
    TreeMap<String, RunState> all = new TreeMap<>();
    for (Map.Entry<String, RunState> entry : runs.entries()) {
      all.put(entry.getKey(), entry.getValue());
    }
    return all;
  }

  private void writeRuns(Collector<Rows> out, long sentAt) throws Exception {
    List<SchedulerJob> jobs = submitted();
    for (Map.Entry<String, RunState> entry : allRuns().entrySet()) {
      write(entry.getKey(), entry.getValue(), jobs, out, sentAt);
    }
  }

  /** Writes the run's rows if their version has grown, and stores its state. */
  private void write(
      String logId, RunState state, List<SchedulerJob> jobs, Collector<Rows> out, long sentAt)
      throws Exception {
    if (state.isInForce()) {
      EvaluatedRun evaluated = evaluate(state, jobs);
      if (Long.compareUnsigned(evaluated.version(), state.version) > 0) {
        List<RowBlock> rows =
            List.of(RunRows.run(evaluated), RunRows.findings(evaluated, state.held));
        emit(rows, state.run.cluster, out, sentAt);
        state.version = evaluated.version();
        state.held = RunRows.findingIds(evaluated).toArray(String[]::new);
      }
    } else if (state.run != null && state.version != RunRows.LAST_VERSION) {
      List<String> modules = state.run.readFeatures().modules();
      emit(RunRows.retraction(state.run, modules, state.held), state.run.cluster, out, sentAt);
      state.version = RunRows.LAST_VERSION;
      state.held = new String[0];
    }
    runs.put(logId, state);
  }

  private EvaluatedRun evaluate(RunState state, List<SchedulerJob> jobs) {
    boolean waitOver = state.joinWaitUntil == 0;
    return EvaluatedRun.of(
        state.run,
        features.of(state.run),
        state.loadFacts(),
        state.baseline,
        jobs,
        waitOver,
        control);
  }

  private static void emit(
      List<RowBlock> blocks, String cluster, Collector<Rows> out, long sentAt) {
    for (RowBlock block : blocks) {
      if (!block.isEmpty()) {
        out.collect(block.build(cluster, sentAt));
      }
    }
  }

  private void resultsChanged(JobProgress at, long sentAt, long now) {
    if (at.resultsAt == 0) {
      at.resultsAt = now + settings.resultDelay().toMillis();
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
    if (endJoinWaits(time, out) | foundSite(at, time, out)) {
      resultsChanged(at, 0, time - settings.resultDelay().toMillis());
    }
    if (at.resultsAt != 0 && at.resultsAt <= time) {
      writeResults(context, out, at.sentAt);
      at.resultsAt = 0;
      at.sentAt = 0;
    }
    schedule(at, context.timerService());
    progress.update(at);
  }

  /** Judges again what was judged without a site; returns whether there was cause to. */
  private boolean foundSite(JobProgress at, long time, Collector<Rows> out) throws Exception {
    if (at.siteLookAt == 0 || at.siteLookAt > time) {
      return false;
    }
    boolean found = control.knowsSite(at.cluster);
    boolean waits = !found && time < at.siteWaitUntil;
    at.siteLookAt = waits ? time + JobSettings.SITE_LOOK_MILLIS : 0;
    if (found) {
      writeRuns(out, 0);
    }
    return found;
  }

  /** Returns whether a wait was over. */
  private boolean endJoinWaits(long time, Collector<Rows> out) throws Exception {
    boolean any = false;
    for (Map.Entry<String, RunState> entry : allRuns().entrySet()) {
      RunState state = entry.getValue();
      if (state.joinWaitUntil != 0 && state.joinWaitUntil <= time) {
        state.joinWaitUntil = 0;
        write(entry.getKey(), state, submitted(), out, 0);
        any = true;
      }
    }
    return any;
  }

  private void writeResults(OnTimerContext context, Collector<Rows> out, long sentAt)
      throws Exception {
    List<SchedulerJob> jobs = submitted();
    List<JobManifest> looks = looks();
    TreeMap<String, RunState> known = allRuns();
    List<EvaluatedRun> evaluated = new ArrayList<>();
    Set<String> superseded = new HashSet<>();
    for (Map.Entry<String, RunState> run : known.entrySet()) {
      if (run.getValue().isInForce()) {
        evaluated.add(evaluate(run.getValue(), jobs));
      } else if (run.getValue().supersededBy != null) {
        superseded.add(run.getKey());
      }
    }
    int givenUp = (int) evaluated.stream().filter(EvaluatedRun::isGivenUp).count();
    int knowledge = Knowledge.ofJob(jobs, looks, known.values(), givenUp);
    long seconds = Knowledge.seconds(jobs, looks, known.values());
    for (SchedulerJob job : jobs) {
      String uid = job.getJobUid();
      JobManifest manifest = Manifests.of(job, jobs, looks);
      EvaluatedJob result =
          EvaluatedJob.of(job, manifest, evaluated, superseded, knowledge, seconds, control);
      Long before = written.get(uid);
      if (before == null || Long.compareUnsigned(result.version(), before) > 0) {
        written.put(uid, result.version());
        emit(List.of(JobRows.row(result)), job.getCluster(), out, sentAt);
        context.output(RESULTS, JobRows.message(result, resultCodec));
      }
    }
  }

  private List<JobManifest> looks() throws Exception {
    List<JobManifest> looks = new ArrayList<>();
    for (Newest manifest : manifests.values()) {
      looks.add(manifestCodec.decode(manifest.message));
    }
    return looks;
  }

  /** Keeps one timer a key, for whatever is due first. */
  private void schedule(JobProgress at, TimerService timers) throws Exception {
    long next = at.lastArrival + settings.jobRetention().toMillis();
    if (at.resultsAt != 0) {
      next = Math.min(next, at.resultsAt);
    }
    if (at.siteLookAt != 0) {
      next = Math.min(next, at.siteLookAt);
    }
    for (RunState state : runs.values()) {
      if (state.joinWaitUntil != 0) {
        next = Math.min(next, state.joinWaitUntil);
      }
    }
    if (at.timer != next) {
      if (at.timer != 0) {
        timers.deleteProcessingTimeTimer(at.timer);
      }
      timers.registerProcessingTimeTimer(next);
      at.timer = next;
    }
  }
}
