package org.weir.analysis.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.weir.analysis.EvidenceClass;
import org.weir.analysis.Feature;
import org.weir.analysis.Finding;
import org.weir.analysis.JudgedFeatures;
import org.weir.analysis.OwnTraffic;
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
    json.put("features", features());
    json.put("findings", judgement.findings().stream().map(this::finding).toList());
    json.put("unknowable", judgement.unknowable());
    json.put("cost", judgement.cost());
    json.put("load", judgement.load());
    json.put("baseline", judgement.baseline());
    json.put("verdict", judgement.verdict());
    json.put("filesystems", run.detail().filesystems());
    json.put("targets", run.detail().targets());
    json.put("files", run.detail().files().stream().map(this::file).toList());
    List<OwnTraffic> traffic = run.traffic();
    json.put(
        "busy",
        traffic.isEmpty()
            ? Map.of("evidence_class", EvidenceClass.EXACT, "slots", List.of())
            : Map.of("evidence_class", traffic.get(0).evidence(), "slots", traffic.get(0).slots()));
    return json;
  }

  private Map<String, Object> features() {
    Map<String, Object> features = new LinkedHashMap<>();
    for (Feature feature : judged().values()) {
      Map<String, Object> json = new LinkedHashMap<>();
      json.put("value", feature.value());
      json.put("evidence_class", feature.evidence());
      if (feature.incomplete()) {
        json.put("incomplete", true);
      }
      features.put(feature.name(), json);
    }
    return features;
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
    json.put("name", log.name(file.recordId()));
    json.put("extent_bytes", file.extentBytes());
    return json;
  }

  private Map<String, Object> file(RunFile file) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("name", log.name(file.recordId()));
    Json.tree(file).fields().forEachRemaining(field -> json.put(field.getKey(), field.getValue()));
    return json;
  }
}
