package org.weir.job;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.weir.analysis.Finding;
import org.weir.analysis.JobSummary;
import org.weir.analysis.Severity;
import org.weir.flink.clickhouse.RowBlock;
import org.weir.flink.kafka.KafkaOut;
import org.weir.wire.FindingFact;
import org.weir.wire.JobResult;
import org.weir.wire.SchedulerJob;
import org.weir.wire.WireCodec;

/** A job's result as row and as message. */
final class JobRows {

  /** The findings of a message, in bytes: half of what its topic takes. */
  private static final int MOST_FINDINGS_BYTES = 512 << 10;

  /** More than Avro writes before a text or a list, and after the latter. */
  private static final int LENGTH_BYTES = 10;

  private static final Comparator<FindingFact> MOST_SEVERE_FIRST =
      Comparator.comparing(JobRows::severity)
          .reversed()
          .thenComparing(FindingFact::getRuleId)
          .thenComparing(FindingFact::getLogId);

  private JobRows() {}

  static RowBlock row(EvaluatedJob evaluated) {
    SchedulerJob job = evaluated.job();
    JobSummary summary = evaluated.summary();
    return new RowBlock("job_results_versions")
        .row()
        .set("cluster", job.getCluster())
        .set("job_uid", job.getJobUid())
        .set("job_id", job.getJobId())
        .set("user", job.getUser())
        .set("account", job.getAccount())
        .set("partition", job.getPartition())
        .set("job_name", job.getJobName())
        .set("state", job.getState())
        .set("submit_time", job.getSubmitTime())
        .set("start_time", job.getStartTime())
        .set("end_time", job.getEndTime())
        .set("nodes", job.getNodes())
        .set("settled", summary.settled())
        .set("logs_analysed", summary.logsAnalysed())
        .set("logs_expected", summary.logsExpected())
        .set("bytes_read", whole(summary.bytesRead()))
        .set("bytes_written", whole(summary.bytesWritten()))
        .set("io_time_seconds", summary.ioTimeSeconds())
        .set("node_hours", summary.nodeHours())
        .set("node_hours_lost", summary.nodeHoursLost())
        .set("verdict", summary.verdict().value().text())
        .set("verdict_reason", summary.verdict().reason())
        .set("coverage", summary.coverage().state().text())
        .set("coverage_reason", summary.coverage().reason())
        .set("findings", summary.findings())
        .set("traits", summary.traits())
        .set("revision", evaluated.revision())
        .set("version", evaluated.version())
        .set("is_deleted", 0)
        .set("origin", job.getOrigin());
  }

  private static Long whole(Double value) {
    return value == null ? null : Long.valueOf(Math.round(value));
  }

  /**
   * Holds all findings by log, as long as they fit; of a job of hundreds of logs the most severe
   * ones that do, first those. The verdict is of all of them, and all stand in the table findings.
   */
  static KafkaOut message(EvaluatedJob evaluated, WireCodec<JobResult> codec) {
    SchedulerJob job = evaluated.job();
    JobSummary summary = evaluated.summary();
    JobResult result =
        JobResult.newBuilder()
            .setCluster(job.getCluster())
            .setJobUid(job.getJobUid())
            .setJobId(job.getJobId())
            .setUser(job.getUser())
            .setAccount(job.getAccount())
            .setState(job.getState())
            .setEndTime(job.getEndTime())
            .setSettled(summary.settled())
            .setLogsAnalysed(summary.logsAnalysed())
            .setLogsExpected(summary.logsExpected())
            .setVerdict(summary.verdict().value().text())
            .setVerdictReason(summary.verdict().reason())
            .setNodeHoursLost(summary.nodeHoursLost())
            .setFindings(findings(evaluated))
            .setVersion(evaluated.version())
            .setOrigin(job.getOrigin())
            .build();
    String user = job.getUser() == null ? "" : job.getUser();
    return new KafkaOut((job.getCluster() + "/" + user).getBytes(UTF_8), codec.encode(result));
  }

  private static List<FindingFact> findings(EvaluatedJob evaluated) {
    List<FindingFact> facts = new ArrayList<>();
    for (EvaluatedRun run : evaluated.runs()) {
      for (Finding finding : run.judgement().findings()) {
        facts.add(
            FindingFact.newBuilder()
                .setRuleId(finding.ruleId())
                .setLogId(run.run().logId)
                .setSeverity(finding.severity().text())
                .setEvidenceClass(finding.evidenceClass().text())
                .setEvidence(finding.evidence())
                .setAdvice(finding.advice())
                .build());
      }
    }
    return thatFit(facts);
  }

  private static List<FindingFact> thatFit(List<FindingFact> facts) {
    if (facts.stream().mapToInt(JobRows::bytes).sum() <= MOST_FINDINGS_BYTES) {
      return facts;
    }
    List<FindingFact> fit = new ArrayList<>();
    int room = MOST_FINDINGS_BYTES;
    for (FindingFact fact : facts.stream().sorted(MOST_SEVERE_FIRST).toList()) {
      room -= bytes(fact);
      if (room < 0) {
        break;
      }
      fit.add(fact);
    }
    return fit;
  }

  private static Severity severity(FindingFact fact) {
    return Severity.valueOf(fact.getSeverity().toUpperCase(Locale.ROOT));
  }

  /** No less than its message takes. */
  private static int bytes(FindingFact fact) {
    Stream<String> texts =
        Stream.of(
            fact.getRuleId(),
            fact.getLogId(),
            fact.getSeverity(),
            fact.getEvidenceClass(),
            fact.getEvidence());
    return LENGTH_BYTES
        + Stream.concat(texts, fact.getAdvice().stream())
            .mapToInt(text -> LENGTH_BYTES + text.getBytes(UTF_8).length)
            .sum();
  }
}
