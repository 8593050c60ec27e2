package org.weir.analysis.report;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.weir.analysis.compare.JudgedFeatures;
import org.weir.analysis.evidence.EvidenceClass;
import org.weir.analysis.evidence.Feature;
import org.weir.analysis.judge.Finding;
import org.weir.analysis.judge.RunJudgement;
import org.weir.analysis.judge.Severity;
import org.weir.analysis.ruleengine.Advice;
import org.weir.analysis.run.RunDetail.FilesystemPart;
import org.weir.analysis.run.RunFeatures;
import org.weir.analysis.run.RunFile;
import org.weir.analysis.traffic.OwnTraffic;
import org.weir.site.Site;

/**
 * Says as JSON what is found out about one run. Times are UTC microseconds, record ids decimal
 * text.
 */
public final class RunReport {

  private final Subject of;
  private final RunFeatures run;
  private final RunJudgement judgement;

  /**
   * Which run it is about.
   *
   * @param jobUid null if it is joined to no job
   * @param startTime UTC microseconds
   * @param names of records by id, escaped; null where a name is not known
   */
  public record Subject(
      String logId,
      String file,
      String exe,
      String cluster,
      long jobId,
      @Nullable String jobUid,
      long uid,
      long startTime,
      String logVersion,
      Site site,
      Function<String, @Nullable String> names) {}

  public RunReport(Subject of, RunFeatures run, RunJudgement judgement) {
    this.of = of;
    this.run = run;
    this.judgement = judgement;
  }

  /** Everything, with its files, targets and busy slots. */
  public Map<String, Object> whole() {
    Map<String, Object> json = brief();
    json.put("targets", run.detail().targets());
    json.put("files", run.detail().files().stream().map(this::file).toList());
    List<OwnTraffic> traffic = run.traffic();
    Map<String, Object> busy = new LinkedHashMap<>();
    busy.put("evidence_class", traffic.isEmpty() ? EvidenceClass.EXACT : traffic.get(0).evidence());
    busy.put("slots", traffic.isEmpty() ? List.of() : traffic.get(0).slots());
    json.put("busy", busy);
    return json;
  }

  /** What a message about the run needs. */
  public Map<String, Object> brief() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("kind", "run");
    json.put("log_id", of.logId());
    json.put("file", of.file());
    json.put("exe", of.exe());
    json.put("cluster", of.cluster());
    json.put("job_id", of.jobId());
    json.put("job_uid", of.jobUid());
    json.put("uid", of.uid());
    json.put("nprocs", Math.round(run.feature("nprocs").requiredValue()));
    json.put("start_time", of.startTime());
    json.put("run_time_seconds", run.value("run_time_seconds"));
    json.put("log_version", of.logVersion());
    json.put("log_state", run.logState());
    json.put("modules", run.modules());
    json.put("filesystem", run.filesystem());
    json.put("direction", run.direction());
    json.put("traits", run.traits());
    json.put("features", json(judged().values()));
    json.put("findings", judgement.findings().stream().map(this::finding).toList());
    json.put("unknowable", judgement.unknowable());
    json.put("cost", judgement.cost());
    json.put("load", judgement.load());
    json.put("baseline", judgement.baseline());
    json.put("verdict", judgement.verdict());
    json.put(
        "filesystems", run.detail().filesystems().stream().map(RunReport::filesystem).toList());
    return json;
  }

  private static Map<String, Object> json(Collection<Feature> features) {
    Map<String, Object> byName = new LinkedHashMap<>();
    for (Feature feature : features) {
      Map<String, Object> json = new LinkedHashMap<>();
      json.put("value", feature.value());
      json.put("evidence_class", feature.evidence());
      if (feature.incomplete()) {
        json.put("incomplete", true);
      }
      byName.put(feature.name(), json);
    }
    return byName;
  }

  private Map<String, Feature> judged() {
    return JudgedFeatures.of(
        run.features(), judgement.cost(), judgement.load(), judgement.baseline());
  }

  private Map<String, Object> finding(Finding finding) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("id", finding.ruleId());
    json.put("title", finding.title());
    json.put(
        "severity",
        judgement.cost().nodes() == null
            ? Severity.withoutNodes(run, of.site())
            : finding.severity());
    json.put("evidence_class", finding.evidenceClass());
    json.put("evidence", finding.evidenceValues());
    json.put("reasons", finding.reasons());
    Map<String, Object> cost = new LinkedHashMap<>();
    cost.put("node_hours_lost", finding.nodeHoursLost());
    cost.put("time_lost_seconds", judgement.cost().timeLostSeconds());
    cost.put("shared_with", judgement.findings().size() - 1);
    json.put("cost", cost);
    json.put("advice", finding.facts().stream().map(this::advice).toList());
    return json;
  }

  private Map<String, Object> advice(Advice advice) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("id", advice.id());
    json.put("parameters", advice.parameters());
    List<Map<String, Object>> files =
        run.detail().files().stream()
            .filter(file -> advice.files().contains(file.recordId()))
            .map(this::fileInAdvice)
            .toList();
    json.put("files", files);
    return json;
  }

  private Map<String, Object> fileInAdvice(RunFile file) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("record_id", file.recordId());
    json.put("name", of.names().apply(file.recordId()));
    json.put("extent_bytes", file.extentBytes());
    return json;
  }

  private static Map<String, Object> filesystem(FilesystemPart part) {
    Map<String, Object> json = new LinkedHashMap<>();
    Json.tree(part).fields().forEachRemaining(field -> json.put(field.getKey(), field.getValue()));
    json.put("features", json(part.features().values()));
    return json;
  }

  private Map<String, Object> file(RunFile file) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("name", of.names().apply(file.recordId()));
    Json.tree(file).fields().forEachRemaining(field -> json.put(field.getKey(), field.getValue()));
    if (file.filesystem() == null) {
      json.remove("filesystem");
    }
    return json;
  }
}
