package org.weir.alerting;

import com.clickhouse.client.api.ClickHouseException;
import com.clickhouse.client.api.Client;
import com.clickhouse.client.api.query.GenericRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.weir.alerts.CaseFacts;
import org.weir.alerts.Found;
import org.weir.alerts.JobFacts;
import org.weir.alerts.Outcome;
import org.weir.alerts.PastOfUser;
import org.weir.alerts.RunOfProgram;
import org.weir.alerts.policy.Policy;
import org.weir.analysis.compare.Application;
import org.weir.analysis.judge.Severity;
import org.weir.flink.clickhouse.ClickHouseAddress;
import org.weir.flink.clickhouse.InsertFailedException;

/**
 * Reads from ClickHouse what was decided for a user: cases with their counts, units that had a
 * message, and what the newest results said, so that a correction is not counted twice. What users
 * want comes again from its topic. While ClickHouse does not answer, the desk waits as the sinks
 * do.
 *
 * @param recent of results that can still be corrected
 */
record ClickHousePast(ClickHouseAddress address, Duration recent) implements Past {

  private static final Logger LOG = LoggerFactory.getLogger(ClickHousePast.class);

  private static final Duration LONGEST_ANSWER = Duration.ofSeconds(60);
  private static final long FIRST_PAUSE_MILLIS = 200;
  private static final long LONGEST_PAUSE_MILLIS = 15_000;

  private static final String CASES =
      """
      SELECT case_id, program, rule_id, title, state, runs, node_hours_lost, times_sent, sent_in,
          toInt64(ifNull(toUnixTimestamp64Milli(sent_at), 0)) AS sent_ms, retracted, version
      FROM cases_versions FINAL
      WHERE cluster = {cluster:String} AND user = {user:String}
      """;

  private static final String RUNS =
      """
      SELECT runs.job_uid AS job, toInt64(any(results.version)) AS version, runs.log_id AS log,
          any(runs.exe) AS exe, any(runs.exe_hash) AS exe_hash,
          toUnixTimestamp64Micro(any(runs.end_time)) AS ended,
          ifNull(any(runs.node_hours_lost), 0) AS lost, ifNull(any(runs.site_bytes), 0) AS bytes,
          toBool(any(runs.log_state) = 'complete') AS complete, groupArray(findings.rule_id) AS rules
      FROM runs
      INNER JOIN findings USING (cluster, log_id)
      INNER JOIN job_results_versions AS results FINAL
          ON results.cluster = runs.cluster AND results.job_uid = runs.job_uid
      WHERE runs.cluster = {cluster:String} AND runs.user = {user:String}
          AND runs.end_time > fromUnixTimestamp64Milli({since:Int64})
          AND findings.evidence_class != 'unknowable' AND findings.start_time > fromUnixTimestamp64Milli({since:Int64}) - INTERVAL 30 DAY
      GROUP BY runs.job_uid, runs.log_id
      ORDER BY runs.job_uid, runs.log_id
      """;

  private static final String DECISIONS =
      """
      SELECT kind, unit, mode, held, cases, toUnixTimestamp64Milli(decided_at) AS decided_ms
      FROM alerts
      WHERE cluster = {cluster:String} AND user = {user:String}
          AND decided_at > fromUnixTimestamp64Milli({since:Int64})
      ORDER BY decided_at
      """;

  @Override
  public PastOfUser of(String cluster, String user, Instant now) throws InterruptedException {
    try (Client client = address.client(LONGEST_ANSWER)) {
      long since = now.minus(recent).toEpochMilli();
      Map<String, Object> of = Map.of("cluster", cluster, "user", user, "since", since);
      List<GenericRecord> cases = answer(client, CASES, of);
      if (cases.isEmpty()) {
        return new PastOfUser(List.of(), List.of(), List.of());
      }
      return new PastOfUser(
          cases.stream().map(ClickHousePast::caseFacts).toList(),
          jobs(answer(client, RUNS, of)),
          answer(client, DECISIONS, of).stream().map(ClickHousePast::decision).toList());
    }
  }

  private static List<GenericRecord> answer(Client client, String sql, Map<String, Object> of)
      throws InterruptedException {
    for (long pause = FIRST_PAUSE_MILLIS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS)) {
      try {
        return client.queryAll(sql, of);
      } catch (ClickHouseException e) {
        if (InsertFailedException.willFailAgain(e)) {
          throw e;
        }
        LOG.warn("The past of a user is asked for again: {}", e.getMessage());
        Thread.sleep(pause);
      }
    }
  }

  private static CaseFacts caseFacts(GenericRecord row) {
    CaseFacts it = new CaseFacts();
    it.id = row.getString("case_id");
    it.program = row.getString("program");
    it.rule = row.getString("rule_id");
    it.title = row.getString("title");
    it.runs = row.getLong("runs");
    it.lostMicroNodeHours = Math.round(1e6 * row.getDouble("node_hours_lost"));
    it.timesSent = row.getInteger("times_sent");
    it.sentAt = row.getLong("sent_ms");
    String sentIn = row.getString("sent_in");
    it.sentIn = sentIn.isEmpty() ? null : mode(sentIn);
    it.fixed = row.getString("state").equals("fixed");
    it.retracted = row.getList("retracted");
    it.changes = row.getLong("version");
    return it;
  }

  private static Policy.Mode mode(String text) {
    return Policy.Mode.valueOf(text.toUpperCase(Locale.ROOT));
  }

  /** Results as far as a correction of them needs it: none of them is reason for a message. */
  private static Collection<JobFacts> jobs(List<GenericRecord> rows) {
    Map<String, JobFacts> jobs = new TreeMap<>();
    for (GenericRecord row : rows) {
      JobFacts job = jobs.computeIfAbsent(row.getString("job"), uid -> new JobFacts());
      job.jobUid = row.getString("job");
      job.unit = "job " + job.jobUid;
      job.displayId = "";
      job.name = "";
      job.version = row.getLong("version");
      RunOfProgram run = new RunOfProgram();
      run.logId = row.getString("log");
      run.program = Application.program(row.getString("exe"), row.getString("exe_hash"));
      run.endTime = row.getLong("ended");
      run.nodeHoursLost = row.getDouble("lost");
      run.siteBytes = row.getLong("bytes");
      run.complete = row.getBoolean("complete");
      run.ownerCheck = "";
      run.verdict = "unknown";
      run.found = row.<String>getList("rules").stream().map(ClickHousePast::found).toList();
      job.runs = Stream.concat(job.runs.stream(), Stream.of(run)).toList();
    }
    return jobs.values();
  }

  private static Found found(String rule) {
    Found found = new Found();
    found.rule = rule;
    found.title = rule;
    found.severity = Severity.INFO;
    return found;
  }

  private static PastOfUser.Decision decision(GenericRecord row) {
    String held = row.getString("held").toUpperCase(Locale.ROOT);
    return new PastOfUser.Decision(
        row.getString("kind"),
        row.getString("unit"),
        mode(row.getString("mode")),
        held.isEmpty() ? null : Outcome.Reason.valueOf(held),
        row.getList("cases"),
        Instant.ofEpochMilli(row.getLong("decided_ms")));
  }
}
