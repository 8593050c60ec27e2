package org.weir.alerts;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.weir.wire.FindingFact;
import org.weir.wire.JobResult;
import org.weir.wire.RunFact;
import org.weir.wire.Text;

/** Holds the newest version of a job's result, as far as messages need it. */
public final class JobFacts {

  private static final Comparator<RunOfProgram> MOST_LOST_FIRST =
      Comparator.comparing(
              (RunOfProgram run) -> run.nodeHoursLost,
              Comparator.nullsLast(Comparator.reverseOrder()))
          .thenComparing(run -> run.logId);

  /** The most characters of a name: a message lists many jobs. */
  private static final int MOST_CHARACTERS = 200;

  /** The result's version, unsigned: a result with a higher one supersedes this. */
  public long version;

  /** What one message is about: the job, or the whole array it belongs to. */
  public String unit;

  public String jobUid;
  public String displayId;
  public String name;
  public @Nullable String account;
  public @Nullable String partition;
  public @Nullable Integer nodes;

  /** UTC microseconds; null while unknown. */
  public @Nullable Long startTime;

  public @Nullable Long endTime;

  /** Nothing more is awaited of the job. */
  public boolean settled;

  public boolean live;
  public List<RunOfProgram> runs = List.of();

  /** JSON that explains a run in a message, by log id; of the few runs that lost most. */
  public Map<String, String> reports = Map.of();

  /** Leaves the fields to be set next, as Flink does when it reads one. */
  @SuppressWarnings("NullAway.Init")
  public JobFacts() {}

  public static JobFacts of(JobResult result) {
    JobFacts facts = new JobFacts();
    facts.version = result.getVersion();
    facts.unit = unit(result);
    facts.jobUid = result.getJobUid();
    facts.displayId = result.getJobDisplayId();
    facts.name = Text.shortened(result.getJobName(), MOST_CHARACTERS);
    facts.account = result.getAccount();
    facts.partition = result.getPartition();
    facts.nodes = result.getNodes();
    facts.startTime = result.getStartTime();
    facts.endTime = result.getEndTime();
    facts.settled = result.getSettled();
    facts.live = result.getOrigin().equals("live");
    facts.runs = runs(result);
    facts.reports = reports(result);
    return facts;
  }

  private static Map<String, String> reports(JobResult result) {
    return result.getRuns().stream()
        .filter(run -> run.getReport() != null)
        .collect(Collectors.toMap(RunFact::getLogId, RunFact::getReport, (a, b) -> a));
  }

  private static String unit(JobResult result) {
    return result.getArrayId() == null
        ? "job " + result.getJobUid()
        : "array " + result.getCluster() + " " + result.getArrayId();
  }

  private static List<RunOfProgram> runs(JobResult result) {
    Map<String, List<FindingFact>> byLog = new HashMap<>();
    for (FindingFact finding : result.getFindings()) {
      byLog.computeIfAbsent(finding.getLogId(), id -> new ArrayList<>()).add(finding);
    }
    List<RunOfProgram> runs = new ArrayList<>();
    for (RunFact run : result.getRuns()) {
      runs.add(RunOfProgram.of(run, byLog.getOrDefault(run.getLogId(), List.of())));
    }
    return List.copyOf(runs);
  }

  /** Returns a copy with these runs alone. */
  JobFacts only(Predicate<RunOfProgram> which) {
    JobFacts copy = new JobFacts();
    copy.version = version;
    copy.unit = unit;
    copy.jobUid = jobUid;
    copy.displayId = displayId;
    copy.name = name;
    copy.account = account;
    copy.partition = partition;
    copy.nodes = nodes;
    copy.startTime = startTime;
    copy.endTime = endTime;
    copy.settled = settled;
    copy.live = live;
    copy.runs = runs.stream().filter(which).toList();
    copy.reports = reports;
    return copy;
  }

  /** Runs with findings, those that lost most first. */
  List<RunOfProgram> flagged() {
    return runs.stream().filter(run -> !run.found.isEmpty()).sorted(MOST_LOST_FIRST).toList();
  }

  double lost() {
    return runs.stream().mapToDouble(RunOfProgram::lost).sum();
  }

  /** They are large, and needed only until the message is decided. */
  JobFacts withoutReports() {
    reports = Map.of();
    return this;
  }
}
