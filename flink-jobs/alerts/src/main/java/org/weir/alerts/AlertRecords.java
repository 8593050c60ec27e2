package org.weir.alerts;

import java.util.Comparator;
import org.weir.alerts.policy.Policy;
import org.weir.wire.Alert;
import org.weir.wire.AlertJob;
import org.weir.wire.AlertRun;
import org.weir.wire.Identity;

/** Writes messages to users as records of weir.alert. */
public final class AlertRecords {

  /** A message lists so many: the dashboards have all. */
  private static final int MOST_CASES = 50;

  private static final int MOST_JOBS = 10;
  private static final int MOST_RUNS = 3;

  private AlertRecords() {}

  /**
   * Returns the identity of a message, by which it is sent once in each mode. A reminder has that
   * of the finding it could have been: decided again after a restart, it may be one.
   */
  public static String id(Outcome.Message message, String user, Policy.Mode mode) {
    String kind = message.kind().equals("reminder") ? "finding" : message.kind();
    String inMode = mode == Policy.Mode.LIVE ? kind : mode.text() + " " + kind;
    return Identity.alertId(inMode, message.unit(), user);
  }

  /**
   * Builds the message.
   *
   * @param at UTC milliseconds of the decision
   */
  public static Alert of(
      Outcome.Message message, String cluster, String user, Policy.Mode mode, long at) {
    return Alert.newBuilder()
        .setAlert(id(message, user, mode))
        .setCluster(cluster)
        .setKind(message.kind())
        .setUnit(message.unit())
        .setRecipient(user)
        .setMode(mode.text())
        .setDecidedAt(1000 * at)
        .setSettledAt(message.settledAt() == 0 ? null : 1000 * message.settledAt())
        .setNodeHoursLost(message.nodeHoursLost())
        .setCases(message.cases().stream().limit(MOST_CASES).toList())
        .setJobsInAll(message.jobs().size())
        .setJobs(message.jobs().stream().limit(MOST_JOBS).map(AlertRecords::of).toList())
        .setReports(message.reports())
        .build();
  }

  private static AlertJob of(JobFacts job) {
    return AlertJob.newBuilder()
        .setJobUid(job.jobUid)
        .setJobDisplayId(job.displayId)
        .setJobName(job.name)
        .setAccount(job.account)
        .setPartition(job.partition)
        .setNodes(job.nodes)
        .setStartTime(job.startTime)
        .setEndTime(job.endTime)
        .setRuns(job.flagged().stream().limit(MOST_RUNS).map(AlertRecords::of).toList())
        .build();
  }

  private static AlertRun of(RunOfProgram run) {
    return AlertRun.newBuilder()
        .setLogId(run.logId)
        .setProgram(run.program)
        .setRunTimeSeconds(run.runTimeSeconds)
        .setIoTimeSeconds(run.ioTimeSeconds)
        .setTimeLostSeconds(run.timeLostSeconds)
        .setNodeHoursLost(run.nodeHoursLost)
        .setVerdict(run.verdict)
        .setRules(
            run.found.stream()
                .sorted(Comparator.comparing((Found found) -> found.severity).reversed())
                .map(found -> found.rule)
                .toList())
        .build();
  }
}
