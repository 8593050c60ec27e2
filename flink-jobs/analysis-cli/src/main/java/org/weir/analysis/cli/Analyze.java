package org.weir.analysis.cli;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.specific.SpecificRecordBase;
import org.jspecify.annotations.Nullable;
import org.weir.analysis.compare.Application;
import org.weir.analysis.compare.Baseline;
import org.weir.analysis.compare.EarlierRun;
import org.weir.analysis.job.JobSummary;
import org.weir.analysis.job.LogJobJoin;
import org.weir.analysis.judge.RunJudgement;
import org.weir.analysis.load.LoadSummary;
import org.weir.analysis.load.LoadWindow;
import org.weir.analysis.load.RunLoad;
import org.weir.analysis.report.Json;
import org.weir.analysis.report.RunReport;
import org.weir.analysis.ruleengine.RuleSet;
import org.weir.analysis.run.RunFeatures;
import org.weir.analysis.slowness.References;
import org.weir.load.sample.Sample;
import org.weir.load.sample.SampleReader;
import org.weir.wire.DarshanLogMessage;
import org.weir.wire.DeviceSample;
import org.weir.wire.LogBatch;
import org.weir.wire.LogEnd;
import org.weir.wire.LogHeader;
import org.weir.wire.SchedulerJob;
import org.weir.wire.WireException;

/**
 * Judges logs as job-analysis does, from one stream of messages: a JSON object {@code kind: run} a
 * log, in the order of the logs, then {@code kind: job} for each job with several logs or a
 * scheduler's record.
 */
final class Analyze {
  private final RuleSet rules;
  private final SiteFile site;
  private final Map<String, ReadLog> logs = new LinkedHashMap<>();
  private final List<SchedulerJob> jobs = new ArrayList<>();
  private final List<Sample> samples = new ArrayList<>();
  private LoadedStorage storage = LoadedStorage.NONE;

  /** By application. */
  private final Map<String, List<EarlierRun>> comparable = new TreeMap<>();

  /** Runs by the job that left them: its uid, or its id without a record of the scheduler. */
  private final Map<String, List<JobSummary.Run>> runs = new LinkedHashMap<>();

  private Analyze(RuleSet rules, SiteFile site) {
    this.rules = rules;
    this.site = site;
  }

  static int run(RuleSet rules, SiteFile site, InputStream in, PrintStream out) throws IOException {
    ListRules.checkThresholds(rules, site);
    Analyze analyze = new Analyze(rules, site);
    new Messages().read(in, analyze::add);
    if (site.site() != null) {
      analyze.storage = new LoadedStorage(analyze.samples, site.site());
    }
    analyze.logs.values().forEach(analyze::remember);
    for (ReadLog log : analyze.logs.values()) {
      out.println(Json.write(analyze.judge(log).whole()));
    }
    analyze.jobs(out);
    return 0;
  }

  private void add(SpecificRecordBase message) {
    if (message instanceof DarshanLogMessage part) {
      add(part);
    } else if (message instanceof SchedulerJob job) {
      jobs.add(job);
    } else if (message instanceof DeviceSample sample) {
      add(sample);
    }
  }

  private void add(DeviceSample message) {
    if (site.site() == null) {
      throw new InputException("samples of devices: --site is missing, which places the devices");
    }
    try {
      samples.add(SampleReader.read(message, 0));
    } catch (WireException e) {
      throw new InputException(e.getMessage(), e);
    }
  }

  private void add(DarshanLogMessage part) {
    if (part.getBody() instanceof LogHeader header) {
      logs.putIfAbsent(part.getLogId(), new ReadLog(part.getLogId(), header, site.of(header)));
      return;
    }
    ReadLog log = logs.get(part.getLogId());
    if (log == null) {
      throw new InputException("log " + part.getLogId() + ": a part comes before the header");
    }
    if (part.getBody() instanceof LogBatch batch) {
      log.add(batch);
    } else if (part.getBody() instanceof LogEnd end) {
      log.end(end);
    }
  }

  private RunReport judge(ReadLog log) {
    RunFeatures run = log.features();
    SchedulerJob job = jobOf(log.header);
    RunJudgement judgement =
        RunJudgement.of(
            run,
            job == null ? null : job.getNodes(),
            job == null ? null : job.getPartition(),
            load(log, run),
            baseline(log, run),
            new References(),
            log.site,
            rules);
    String jobUid = job == null ? null : job.getJobUid();
    String key = job == null ? log.header.getCluster() + "/" + log.header.getJobId() : jobUid;
    runs.computeIfAbsent(key, k -> new ArrayList<>())
        .add(new JobSummary.Run(log.logId, run, judgement, true));
    return new RunReport(log.subject(jobUid), run, judgement);
  }

  /** The logs at hand are the history of each other. */
  private Baseline baseline(ReadLog log, RunFeatures run) {
    EarlierRun own = EarlierRun.of(log.logId, run);
    return own == null
        ? Baseline.NONE
        : Baseline.of(
            own, requireNonNull(comparable.get(application(log.header, run)), "not remembered"));
  }

  private void remember(ReadLog log) {
    RunFeatures run = log.features();
    EarlierRun earlier = EarlierRun.of(log.logId, run);
    if (earlier != null) {
      comparable
          .computeIfAbsent(application(log.header, run), key -> new ArrayList<>())
          .add(earlier);
    }
  }

  private static String application(LogHeader header, RunFeatures run) {
    return Application.key(
        header.getCluster(), header.getUid(), header.getExe(), header.getExeHash(), run);
  }

  private @Nullable SchedulerJob jobOf(LogHeader header) {
    List<SchedulerJob> submits =
        jobs.stream()
            .filter(job -> job.getJobId() == header.getJobId())
            .filter(job -> job.getCluster().equals(header.getCluster()))
            .toList();
    LogJobJoin.Log log =
        new LogJobJoin.Log(
            header.getStartTime(), header.getUid(), header.getOwnerUid(), header.getOwnerCheck());
    return LogJobJoin.joinJobs(log, submits, true).jobOf(submits);
  }

  private LoadSummary load(ReadLog log, RunFeatures run) {
    return RunLoad.of(LoadWindow.all(run, log.site).stream().map(storage::beside).toList());
  }

  private void jobs(PrintStream out) {
    runs.forEach(
        (key, ofJob) -> {
          SchedulerJob job =
              jobs.stream().filter(j -> j.getJobUid().equals(key)).findFirst().orElse(null);
          if (job != null || ofJob.size() > 1) {
            out.println(Json.write(json(key, job, ofJob)));
          }
        });
  }

  private Map<String, Object> json(
      String key, @Nullable SchedulerJob job, List<JobSummary.Run> ofJob) {
    JobSummary.Job known = job == null ? JobSummary.Job.UNKNOWN : JobSummary.Job.of(job);
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("kind", "job");
    json.put("job", key);
    json.put("job_uid", job == null ? null : job.getJobUid());
    json.put("job_name", job == null ? null : job.getJobName());
    json.put("job_state", job == null ? null : job.getState());
    json.put("log_ids", ofJob.stream().map(JobSummary.Run::logId).toList());
    Json.tree(JobSummary.of(known, null, ofJob, Map.of()))
        .fields()
        .forEachRemaining(field -> json.put(field.getKey(), field.getValue()));
    return json;
  }
}
