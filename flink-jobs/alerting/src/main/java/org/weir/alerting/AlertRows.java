package org.weir.alerting;

import org.weir.alerts.AlertRecords;
import org.weir.alerts.CaseFacts;
import org.weir.alerts.Outcome;
import org.weir.alerts.policy.Policy;
import org.weir.flink.clickhouse.RowBlock;
import org.weir.wire.CaseFact;

/**
 * Writes what a user's desk decides as rows of cases and alerts.
 *
 * @param at UTC milliseconds
 */
record AlertRows(String cluster, String user, Policy.Mode mode, long at) {

  RowBlock of(Outcome outcome) {
    if (outcome instanceof Outcome.Message message) {
      return of(message);
    } else if (outcome instanceof Outcome.Held held) {
      return of(held);
    }
    return of(((Outcome.Changed) outcome).it());
  }

  private RowBlock of(CaseFacts it) {
    return new RowBlock("cases_versions")
        .row()
        .set("cluster", cluster)
        .set("case_id", it.id)
        .set("user", user)
        .set("program", it.program)
        .set("rule_id", it.rule)
        .set("title", it.title)
        .set("state", !it.wasSent(mode) ? "counted" : it.fixed ? "fixed" : "open")
        .set("runs", Math.max(0, it.runs))
        .set("node_hours_lost", it.nodeHoursLost())
        .set("times_sent", it.timesSent)
        .set("sent_in", it.sentIn == null ? "" : it.sentIn.text())
        .set("sent_at", it.sentAt == 0 ? null : 1000 * it.sentAt)
        .set("retracted", it.retracted)
        .set("changed_at", 1000 * at)
        .set("version", it.changes)
        .set("is_deleted", 0)
        .set("origin", "live");
  }

  private RowBlock of(Outcome.Message message) {
    return alert(message.kind(), message.unit())
        .set("alert", AlertRecords.id(message, user, mode))
        .set("held", "")
        .set("cases", message.cases().stream().map(CaseFact::getCase$).toList())
        .set("jobs", message.jobs().size())
        .set("node_hours_lost", message.nodeHoursLost())
        .set("settled_at", message.settledAt() == 0 ? null : 1000 * message.settledAt());
  }

  private RowBlock of(Outcome.Held held) {
    return alert("finding", held.unit())
        .set("alert", "")
        .set("held", held.reason().text())
        .set("cases", held.cases())
        .set("jobs", held.jobs())
        .set("node_hours_lost", held.nodeHoursLost())
        .set("settled_at", null);
  }

  private RowBlock alert(String kind, String unit) {
    return new RowBlock("alerts_versions")
        .row()
        .set("cluster", cluster)
        .set("user", user)
        .set("kind", kind)
        .set("unit", unit)
        .set("mode", mode.text())
        .set("decided_at", 1000 * at)
        .set("version", 1000 * at)
        .set("is_deleted", 0)
        .set("origin", "live");
  }
}
