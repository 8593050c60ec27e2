package org.weir.job.rows;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.weir.analysis.compare.Application;
import org.weir.analysis.compare.Baseline;
import org.weir.analysis.evidence.FeatureSpec;
import org.weir.analysis.features.LogFeatures;
import org.weir.analysis.judge.Finding;
import org.weir.analysis.load.DeviceLoad;
import org.weir.analysis.load.LoadSummary;
import org.weir.analysis.run.RunDetail.FilesystemPart;
import org.weir.analysis.run.RunFeatures;
import org.weir.analysis.slowness.Cost;
import org.weir.flink.clickhouse.RowBlock;
import org.weir.flink.clickhouse.Table;
import org.weir.job.assemble.LogModuleRows;
import org.weir.job.evaluate.EvaluatedRun;
import org.weir.job.run.RunSummary;
import org.weir.wire.SchedulerJob;

/** A run as rows of runs and findings. */
public final class RunRows {

  static final String RUNS = "runs_versions";
  static final String FINDINGS = "findings_versions";

  /** Above every version: what is retracted with it never comes back. */
  public static final long LAST_VERSION = -1L;

  private static final List<FeatureSpec> FEATURES = checkedFeatures();

  private RunRows() {}

  public static RowBlock run(EvaluatedRun evaluated) {
    RunSummary run = evaluated.run();
    RunFeatures features = evaluated.features();
    RowBlock row =
        new RowBlock(RUNS)
            .row()
            .set("cluster", run.cluster)
            .set("log_id", run.logId)
            .set("job_id", run.jobId)
            .set("uid", run.uid)
            .set("exe", run.exe)
            .set("exe_hash", run.exeHash)
            .set("program", Application.program(run.exe, run.exeHash))
            .set("file_name", run.fileName)
            .set("log_version", run.logVersion)
            .set("log_state", features.logState().text())
            .set("modules", features.modules())
            .set("traits", features.traits())
            .set("start_time", run.startTime)
            .set("end_time", run.endTime)
            .set("filesystem", features.filesystem())
            .set("direction", features.direction())
            .set("evidence_classes", features.evidenceClasses())
            .set("features_lacking_records", features.featuresLackingRecords())
            .set("revision", evaluated.revision())
            .set("version", evaluated.version())
            .set("is_deleted", 0)
            .set("origin", run.origin);
    setFeatures(row, features);
    setFilesystems(row, features.detail().filesystems());
    setJob(row, evaluated);
    setLoad(row, evaluated.judgement().load());
    setBaseline(row, evaluated.judgement().baseline());
    setJudgement(row, evaluated);
    return row;
  }

  /** Sets the features of the log, each in the column of its name. */
  private static void setFeatures(RowBlock row, RunFeatures features) {
    for (FeatureSpec spec : FEATURES) {
      Double value = features.value(spec.name());
      boolean whole = requireNonNull(spec.columnType(), spec.name()).contains("Int");
      row.set(spec.name(), value != null && whole ? (Object) Math.round(value) : value);
    }
  }

  /**
   * Returns the features of a log, each of which has a column of its type.
   *
   * @throws IllegalStateException if one has not: it would be lost silently
   */
  private static List<FeatureSpec> checkedFeatures() {
    Table table = Table.named(RUNS);
    for (FeatureSpec spec : LogFeatures.all()) {
      String type = table.type(spec.name()).name();
      if (!type.equals(spec.columnType())) {
        throw new IllegalStateException(
            "feature %s is declared as %s, its column in %s is %s"
                .formatted(spec.name(), spec.columnType(), RUNS, type));
      }
    }
    return LogFeatures.all();
  }

  /** An array a feature, over the file systems. */
  private static void setFilesystems(RowBlock row, List<FilesystemPart> parts) {
    row.set("filesystems", parts.stream().map(FilesystemPart::filesystem).toList());
    for (String name : LogFeatures.OF_FILESYSTEM) {
      row.set(
          "filesystem_" + name,
          parts.stream()
              .map(part -> requireNonNull(part.features().get(name), name).value())
              .toList());
    }
  }

  private static void setJob(RowBlock row, EvaluatedRun evaluated) {
    SchedulerJob job = evaluated.job();
    row.set("job_uid", evaluated.join().jobUid())
        .set("job_join", evaluated.join().state().text())
        .set("job_join_reason", evaluated.join().reason())
        .set("user", job == null ? null : job.getUser())
        .set("account", job == null ? null : job.getAccount())
        .set("partition", job == null ? null : job.getPartition())
        .set("job_name", job == null ? null : job.getJobName())
        .set("job_state", job == null ? null : job.getState())
        .set("nodes", job == null ? null : job.getNodes());
  }

  private static void setLoad(RowBlock row, LoadSummary load) {
    row.set("load_state", load.state().text())
        .set("load_buckets_expected", load.bucketsExpected())
        .set("load_buckets_closed", load.bucketsClosed())
        .set("load_util_mean", load.utilMean())
        .set("load_util_max", load.utilMax())
        .set("load_device_bytes", load.deviceBytes())
        .set("load_own_bytes", load.ownBytes())
        .set("others_bytes", load.othersBytes())
        .set("load_devices", load.devices());
    DeviceLoad busiest = load.busiest();
    row.set("load_busiest_device", busiest == null ? null : busiest.name())
        .set("load_busiest_util", busiest == null ? null : busiest.util())
        .set("load_busiest_bytes", busiest == null ? null : busiest.bytes())
        .set("load_busiest_others_bytes", busiest == null ? null : busiest.othersBytes());
  }

  private static void setBaseline(RowBlock row, Baseline baseline) {
    row.set("baseline_runs", baseline.runs())
        .set("baseline_until", baseline.until())
        .set("baseline_p10_mib_per_second", baseline.p10())
        .set("baseline_median_mib_per_second", baseline.median());
  }

  private static void setJudgement(RowBlock row, EvaluatedRun evaluated) {
    Cost cost = evaluated.judgement().cost();
    row.set("run_nodes", cost.runNodes())
        .set("mib_per_second_per_node", cost.mibPerSecondPerNode())
        .set("reference_mib_per_second_per_node", cost.referenceMibPerSecondPerNode())
        .set("reference_source", cost.referenceSource().text())
        .set("time_lost_seconds", cost.timeLostSeconds())
        .set("node_hours_lost", cost.nodeHoursLost())
        .set("slow", cost.slow())
        .set("verdict", evaluated.judgement().verdict().value().text())
        .set("verdict_reason", evaluated.judgement().verdict().reason())
        .set("findings", findingIds(evaluated));
  }

  public static List<String> findingIds(EvaluatedRun evaluated) {
    return evaluated.judgement().findings().stream().map(Finding::ruleId).sorted().toList();
  }

  /** Findings that hold, and as deleted those that were written before and do not hold any more. */
  public static RowBlock findings(EvaluatedRun evaluated, String[] heldBefore) {
    RowBlock rows = new RowBlock(FINDINGS);
    Set<String> gone = new TreeSet<>(List.of(heldBefore));
    for (Finding finding : evaluated.judgement().findings()) {
      gone.remove(finding.ruleId());
      SchedulerJob job = evaluated.job();
      finding(rows, evaluated.run(), finding.ruleId(), evaluated.version(), false)
          .set("user", job == null ? null : job.getUser())
          .set("account", job == null ? null : job.getAccount())
          .set("filesystem", evaluated.features().filesystem())
          .set("verdict", evaluated.judgement().verdict().value().text())
          .set("title", finding.title())
          .set("severity", finding.severity().text())
          .set("evidence_class", finding.evidenceClass().text())
          .set("evidence", finding.evidence())
          .set("node_hours_lost", finding.nodeHoursLost())
          .set("advice", finding.advice())
          .set("advice_numbers", finding.adviceNumbers())
          .set("revision", evaluated.revision());
    }
    for (String rule : gone) {
      deletedFinding(rows, evaluated.run(), rule, evaluated.version());
    }
    return rows;
  }

  private static RowBlock finding(
      RowBlock rows, RunSummary run, String rule, long version, boolean deleted) {
    return rows.row()
        .set("cluster", run.cluster)
        .set("log_id", run.logId)
        .set("job_uid", "")
        .set("rule_id", rule)
        .set("start_time", run.startTime)
        .set("job_id", run.jobId)
        .set("exe", run.exe)
        .set("program", Application.program(run.exe, run.exeHash))
        .set("version", version)
        .set("is_deleted", deleted)
        .set("origin", run.origin);
  }

  private static void deletedFinding(RowBlock rows, RunSummary run, String rule, long version) {
    finding(rows, run, rule, version, true)
        .set("user", null)
        .set("account", null)
        .set("filesystem", null)
        .set("verdict", "")
        .set("title", "")
        .set("severity", "")
        .set("evidence_class", "")
        .set("evidence", "{}")
        .set("node_hours_lost", null)
        .set("advice", List.of())
        .set("advice_numbers", "{}")
        .set("revision", 0);
  }

  /** Takes the rows of a superseded run back for good. */
  public static List<RowBlock> retraction(RunSummary run, List<String> modules, String[] held) {
    RowBlock runs = retracted(RUNS, run);
    RowBlock findings = new RowBlock(FINDINGS);
    for (String rule : held) {
      deletedFinding(findings, run, rule, LAST_VERSION);
    }
    RowBlock moduleRows = new RowBlock(LogModuleRows.TABLE);
    for (String module : modules) {
      moduleRows
          .row()
          .set("cluster", run.cluster)
          .set("log_id", run.logId)
          .set("start_time", run.startTime)
          .set("module", module)
          .set("version", LAST_VERSION)
          .set("is_deleted", 1)
          .set("origin", run.origin);
    }
    return List.of(runs, findings, moduleRows);
  }

  private static RowBlock retracted(String table, RunSummary run) {
    return new RowBlock(table)
        .row()
        .set("cluster", run.cluster)
        .set("log_id", run.logId)
        .set("start_time", run.startTime)
        .set("version", LAST_VERSION)
        .set("is_deleted", 1)
        .set("origin", run.origin);
  }
}
