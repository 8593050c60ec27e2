package org.weir.analysis.cli;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.weir.analysis.EvidenceClass;
import org.weir.analysis.Feature;
import org.weir.analysis.Finding;
import org.weir.analysis.JudgedFeatures;
import org.weir.analysis.OwnTraffic;
import org.weir.analysis.RunDetail.FilesystemPart;
import org.weir.analysis.RunFeatures;
import org.weir.analysis.RunFile;
import org.weir.analysis.RunJudgement;
import org.weir.analysis.Severity;
import org.weir.analysis.rules.Advice;
import org.weir.wire.LogHeader;

/** What is said of one run, as JSON. Times are UTC microseconds, record ids decimal text. */
final class RunReport {
  private final ReadLog log;
  private final RunFeatures run;
  private final RunJudgement judgement;
  private final String jobUid;

  RunReport(ReadLog log, RunFeatures run, RunJudgement judgement, String jobUid) {
    this.log = log;
    this.run = run;
    this.judgement = judgement;
    this.jobUid = jobUid;
  }

  Map<String, Object> json() {
    LogHeader header = log.header;
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("kind", "run");
    json.put("log_id", log.logId);
    json.put("file", header.getFileName());
    json.put("exe", header.getExe());
    json.put("cluster", header.getCluster());
    json.put("job_id", header.getJobId());
    json.put("job_uid", jobUid);
    json.put("nprocs", header.getNprocs());
    json.put("start_time", header.getStartTime());
    json.put("run_time_seconds", run.value("run_time_seconds"));
    json.put("log_version", header.getLogVersion());
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
    json.put("targets", run.detail().targets());
    json.put("files", run.detail().files().stream().map(this::file).toList());
    List<OwnTraffic> traffic = run.traffic();
    Map<String, Object> busy = new LinkedHashMap<>();
    busy.put("evidence_class", traffic.isEmpty() ? EvidenceClass.EXACT : traffic.get(0).evidence());
    busy.put("slots", traffic.isEmpty() ? List.of() : traffic.get(0).slots());
    json.put("busy", busy);
    return json;
  }

  private static Map<String, Object> json(Collection<Feature> features) {
    Map<String, Object> byName = new LinkedHashMap<>();
    for (Feature feature : features) {
      Map<String, Object> json = new LinkedHashMap<>();
      json.put("value", feature.value());
      json.put("evidence_class", feature.evidence());
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
            ? Severity.withoutNodes(run, log.site)
            : finding.severity());
    json.put("evidence_class", finding.evidenceClass());
    json.put("evidence", finding.evidenceValues());
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
    json.put("name", log.name(file.recordId()));
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
    json.put("name", log.name(file.recordId()));
    Json.tree(file).fields().forEachRemaining(field -> json.put(field.getKey(), field.getValue()));
    if (file.filesystem() == null) {
      json.remove("filesystem");
    }
    return json;
  }
}
