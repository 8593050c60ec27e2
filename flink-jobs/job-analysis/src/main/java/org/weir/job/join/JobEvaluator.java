package org.weir.job.join;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecordBase;
import org.weir.analysis.job.Manifests;
import org.weir.flink.clickhouse.RowBlock;
import org.weir.job.baseline.BaselineAnswer;
import org.weir.job.control.Control;
import org.weir.job.control.JobSettings;
import org.weir.job.evaluate.Completeness;
import org.weir.job.evaluate.EvaluatedJob;
import org.weir.job.evaluate.EvaluatedRun;
import org.weir.job.evaluate.InputVersions;
import org.weir.job.evaluate.RecentRuns;
import org.weir.job.evaluate.RunState;
import org.weir.job.load.LoadAnswer;
import org.weir.job.rows.JobRows;
import org.weir.job.rows.RunRows;
import org.weir.job.run.RunSummary;
import org.weir.wire.JobManifest;
import org.weir.wire.SchedulerJob;
import org.weir.wire.Version;
import org.weir.wire.WireCodec;

/**
 * Gathers what is known under a cluster and job id: its submits, its runs with their load, its
 * manifests; and evaluates the runs and results of which more is known than was written. It sets no
 * timer and sends nothing: these are the operator's. Not serializable: build it in open().
 */
final class JobEvaluator {

  /** What is kept, each for the longest wall time and a week. */
  record Store(
      Kept<NewestMessage> submits,
      Kept<NewestMessage> manifests,
      Kept<RunState> runs,
      Kept<Long> writtenVersions) {

    /** Forgets everything. */
    void clear() {
      submits.clear();
      manifests.clear();
      runs.clear();
      writtenVersions.clear();
    }
  }

  /**
   * Takes what is to be written.
   *
   * @param rows of a cluster; a block may be empty
   */
  record Output(BiConsumer<String, RowBlock> rows, Consumer<EvaluatedJob> results) {}

  private final Store store;
  private final Control control;
  private final JobSettings settings;
  private final RecentRuns recent;
  private final WireCodec<SchedulerJob> submitCodec = WireCodec.of(SchedulerJob.class);
  private final WireCodec<JobManifest> manifestCodec = WireCodec.of(JobManifest.class);

  JobEvaluator(Store store, Control control, JobSettings settings) {
    this.store = store;
    this.control = control;
    this.settings = settings;
    this.recent = new RecentRuns(control);
  }

  /** Judges everything anew from now on: sites, rules or reference rates have changed. */
  void controlHasChanged() {
    recent.clear();
  }

  /**
   * Takes an input in.
   *
   * @param now processing time, milliseconds
   */
  void take(JobInput input, long now) throws Exception {
    if (input.submit != null) {
      SchedulerJob job = submitCodec.decode(input.submit);
      putNewest(store.submits, job.getJobUid(), input.submit, InputVersions.of(job));
    } else if (input.manifest != null) {
      takeManifest(input.manifest);
    } else if (input.load != null) {
      takeLoad(input.load);
    } else if (input.baseline != null) {
      takeBaseline(input.baseline);
    } else {
      takeRun(requireNonNull(input.run, "an input of nothing"), now);
    }
  }

  /** Keeps it by its job_uid; by its second if it names none, as it may be of different submits. */
  private void takeManifest(byte[] message) throws Exception {
    JobManifest manifest = manifestCodec.decode(message);
    String uid = manifest.getJobUid();
    String key = uid == null ? "at " + InputVersions.secondOf(manifest) : uid;
    putNewest(store.manifests, key, message, InputVersions.of(manifest));
  }

  private static void putNewest(Kept<NewestMessage> kept, String key, byte[] message, long version)
      throws Exception {
    NewestMessage known = kept.get(key);
    if (known == null || known.version <= version) {
      kept.put(key, new NewestMessage(message, version));
    }
  }

  private void takeLoad(LoadAnswer load) throws Exception {
    RunState state = runOrNew(load.logId);
    if (state.load == null || load.saysAtLeastAsMuchAs(state.load)) {
      state.load = load;
      store.runs.put(load.logId, state);
    }
  }

  private void takeBaseline(BaselineAnswer answer) throws Exception {
    RunState state = runOrNew(answer.logId);
    state.take(answer.baseline);
    store.runs.put(answer.logId, state);
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
    store.runs.put(run.logId, state);
    if (run.supersedes != null && !run.supersedes.equals(run.logId)) {
      RunState older = runOrNew(run.supersedes);
      older.supersededBy = run.logId;
      store.runs.put(run.supersedes, older);
    }
  }

  /** Whether rows of it may be left of which nothing is known here any more. */
  private boolean mayHaveBeenForgotten(RunSummary run, long now) {
    return run.endTime / 1000 + settings.jobRetention().toMillis() <= now;
  }

  private RunState runOrNew(String logId) throws Exception {
    RunState state = store.runs.get(logId);
    return state == null ? new RunState() : state;
  }

  /** Returns what is known of each run, by log id. */
  SortedMap<String, RunState> runs() throws Exception {
    SortedMap<String, RunState> known = new TreeMap<>();
    for (Map.Entry<String, RunState> run : store.runs.entries()) {
      known.put(run.getKey(), run.getValue());
    }
    return known;
  }

  /** Ends the waits for a job that are over; returns whether there was one. */
  boolean endJoinWaits(SortedMap<String, RunState> known, long time) throws Exception {
    boolean any = false;
    for (Map.Entry<String, RunState> run : known.entrySet()) {
      RunState state = run.getValue();
      if (state.joinWaitUntil != 0 && state.joinWaitUntil <= time) {
        state.joinWaitUntil = 0;
        store.runs.put(run.getKey(), state);
        any = true;
      }
    }
    return any;
  }

  /** Writes each run and result of which more is known than was written before. */
  void write(SortedMap<String, RunState> known, Output out) throws Exception {
    List<SchedulerJob> jobs = decoded(store.submits, submitCodec);
    List<EvaluatedRun> evaluated = new ArrayList<>();
    Set<String> superseded = new HashSet<>();
    for (Map.Entry<String, RunState> run : known.entrySet()) {
      RunState state = run.getValue();
      if (state.isInForce()) {
        evaluated.add(writeRun(state, jobs, out));
      } else if (state.supersededBy != null) {
        superseded.add(run.getKey());
        retract(state, out);
      }
    }
    if (!jobs.isEmpty()) {
      writeResults(jobs, known.values(), evaluated, superseded, out);
    }
  }

  private EvaluatedRun writeRun(RunState state, List<SchedulerJob> jobs, Output out)
      throws Exception {
    RunSummary run = state.summary();
    EvaluatedRun evaluated = recent.evaluate(state, jobs);
    if (evaluated.isDecided() && state.joinWaitUntil != 0) {
      // For good: to wait again for what was decided would look like knowing less.
      state.joinWaitUntil = 0;
      store.runs.put(run.logId, state);
    }
    if (Version.isAbove(evaluated.version(), state.version)) {
      out.rows.accept(run.cluster, RunRows.run(evaluated));
      out.rows.accept(run.cluster, RunRows.findings(evaluated, state.held));
      state.version = evaluated.version();
      state.held = RunRows.findingIds(evaluated).toArray(String[]::new);
      store.runs.put(run.logId, state);
    }
    return evaluated;
  }

  private void retract(RunState state, Output out) throws Exception {
    RunSummary run = state.run;
    if (run != null && state.version != RunRows.LAST_VERSION) {
      List<String> modules = run.readFeatures().modules();
      RunRows.retraction(run, modules, state.held)
          .forEach(block -> out.rows.accept(run.cluster, block));
      state.version = RunRows.LAST_VERSION;
      state.held = new String[0];
      store.runs.put(run.logId, state);
    }
  }

  private void writeResults(
      List<SchedulerJob> jobs,
      Collection<RunState> known,
      List<EvaluatedRun> evaluated,
      Set<String> superseded,
      Output out)
      throws Exception {
    List<JobManifest> scans = decoded(store.manifests, manifestCodec);
    int decided = (int) evaluated.stream().filter(EvaluatedRun::isDecided).count();
    Completeness.OfJob completeness = Completeness.ofJob(jobs, scans, known, decided);
    for (SchedulerJob job : jobs) {
      String uid = job.getJobUid();
      JobManifest manifest = Manifests.of(job, jobs, scans);
      EvaluatedJob result =
          EvaluatedJob.of(job, manifest, evaluated, superseded, completeness, control);
      Long before = store.writtenVersions.get(uid);
      if (before == null || Version.isAbove(result.version(), before)) {
        store.writtenVersions.put(uid, result.version());
        out.rows.accept(job.getCluster(), JobRows.row(result));
        out.results.accept(result);
      }
    }
  }

  private static <T extends SpecificRecordBase> List<T> decoded(
      Kept<NewestMessage> kept, WireCodec<T> codec) throws Exception {
    List<T> messages = new ArrayList<>();
    for (Map.Entry<String, NewestMessage> each : kept.entries()) {
      messages.add(codec.decode(each.getValue().message));
    }
    return messages;
  }
}
