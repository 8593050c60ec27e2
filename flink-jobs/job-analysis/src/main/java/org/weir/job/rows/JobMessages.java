package org.weir.job.rows;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.weir.analysis.compare.Application;
import org.weir.analysis.job.JobSummary;
import org.weir.analysis.judge.Finding;
import org.weir.analysis.judge.Severity;
import org.weir.analysis.report.Json;
import org.weir.analysis.run.RunFeatures;
import org.weir.analysis.slowness.Cost;
import org.weir.flink.kafka.KafkaOut;
import org.weir.job.evaluate.EvaluatedJob;
import org.weir.job.evaluate.EvaluatedRun;
import org.weir.job.run.RunSummary;
import org.weir.wire.FindingFact;
import org.weir.wire.JobResult;
import org.weir.wire.RunFact;
import org.weir.wire.SchedulerJob;
import org.weir.wire.WireCodec;

/** Writes a job's result as a message of weir.job.result, which takes 1 MiB at most. */
public final class JobMessages {

  private static final int MOST_FINDINGS_BYTES = 512 << 10;
  private static final int MOST_RUNS_BYTES = 192 << 10;
  private static final int MOST_REPORT_BYTES = 48 << 10;

  /** A message to a user explains so many runs at most. */
  private static final int MOST_REPORTS = 3;

  /** More than Avro writes before a text or a list, and after the latter. */
  private static final int LENGTH_BYTES = 10;

  /** The numbers of a run, each with its mark that it is not null. */
  private static final int NUMBERS_BYTES = 80;

  private static final Comparator<FindingFact> MOST_SEVERE_FIRST =
      Comparator.comparing(JobMessages::severity)
          .reversed()
          .thenComparing(FindingFact::getRuleId)
          .thenComparing(FindingFact::getLogId);

  private static final Comparator<EvaluatedRun> MOST_LOST_FIRST =
      Comparator.comparing((EvaluatedRun run) -> run.judgement().findings().isEmpty())
          .thenComparing(
              run -> run.judgement().cost().nodeHoursLost(),
              Comparator.nullsLast(Comparator.reverseOrder()))
          .thenComparing(run -> run.run().logId);

  private JobMessages() {}

  /**
   * Holds findings and runs by log, as long as they fit; of a job of hundreds of logs the most
   * severe findings, and the runs that lost most, first those. The verdict is of all of them, and
   * all stand in the tables.
   */
  public static KafkaOut message(EvaluatedJob evaluated, WireCodec<JobResult> codec) {
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
            .setJobDisplayId(job.getJobDisplayId())
            .setArrayId(job.getArrayId())
            .setJobName(job.getJobName())
            .setPartition(job.getPartition())
            .setNodes(job.getNodes())
            .setStartTime(job.getStartTime())
            .setRuns(runs(evaluated))
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
                .setTitle(finding.title())
                .build());
      }
    }
    if (facts.stream().mapToInt(JobMessages::bytes).sum() <= MOST_FINDINGS_BYTES) {
      return facts;
    }
    List<FindingFact> sorted = facts.stream().sorted(MOST_SEVERE_FIRST).toList();
    return thatFit(sorted, JobMessages::bytes, MOST_FINDINGS_BYTES);
  }

  private static List<RunFact> runs(EvaluatedJob evaluated) {
    List<EvaluatedRun> runs = evaluated.runs().stream().sorted(MOST_LOST_FIRST).toList();
    Set<String> reported = mayBeSent(evaluated) ? reported(runs) : Set.of();
    List<RunFact> facts =
        runs.stream().map(run -> fact(run, reported.contains(run.run().logId))).toList();
    return thatFit(facts, JobMessages::bytes, MOST_RUNS_BYTES).stream()
        .sorted(Comparator.comparing(RunFact::getLogId))
        .toList();
  }

  /** No message is written of anything else, so that nobody reads its reports. */
  private static boolean mayBeSent(EvaluatedJob evaluated) {
    return evaluated.summary().settled() && evaluated.job().getOrigin().equals("live");
  }

  private static Set<String> reported(List<EvaluatedRun> runs) {
    return runs.stream()
        .filter(run -> !run.judgement().findings().isEmpty())
        .limit(MOST_REPORTS)
        .map(run -> run.run().logId)
        .collect(Collectors.toSet());
  }

  private static RunFact fact(EvaluatedRun evaluated, boolean reported) {
    RunSummary run = evaluated.run();
    RunFeatures features = evaluated.features();
    Cost cost = evaluated.judgement().cost();
    return RunFact.newBuilder()
        .setLogId(run.logId)
        .setProgram(Application.program(run.exe, run.exeHash))
        .setEndTime(run.endTime)
        .setLogState(features.logState().text())
        .setOwnerCheck(run.ownerCheck)
        .setRunTimeSeconds(features.value("run_time_seconds"))
        .setIoTimeSeconds(features.value("io_time_seconds"))
        .setSiteBytes(features.value("site_bytes"))
        .setTimeLostSeconds(cost.timeLostSeconds())
        .setNodeHoursLost(cost.nodeHoursLost())
        .setVerdict(evaluated.judgement().verdict().value().text())
        .setUnknowable(evaluated.judgement().unknowable())
        .setReport(reported ? report(evaluated) : null)
        .build();
  }

  private static @Nullable String report(EvaluatedRun evaluated) {
    String report = Json.write(evaluated.report().brief());
    return report.getBytes(UTF_8).length <= MOST_REPORT_BYTES ? report : null;
  }

  private static <T> List<T> thatFit(List<T> sorted, ToIntFunction<T> bytes, int most) {
    List<T> fit = new ArrayList<>();
    int room = most;
    for (T fact : sorted) {
      room -= bytes.applyAsInt(fact);
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
            fact.getEvidence(),
            fact.getTitle());
    return LENGTH_BYTES + bytes(texts) + bytes(fact.getAdvice().stream());
  }

  /** Its report is counted apart. */
  private static int bytes(RunFact fact) {
    Stream<String> texts =
        Stream.of(
            fact.getLogId(),
            fact.getProgram(),
            fact.getLogState(),
            fact.getOwnerCheck(),
            fact.getVerdict());
    return NUMBERS_BYTES + bytes(texts) + bytes(fact.getUnknowable().stream());
  }

  private static int bytes(Stream<String> texts) {
    return texts.mapToInt(text -> LENGTH_BYTES + text.getBytes(UTF_8).length).sum();
  }
}
