package org.weir.alerts;

import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.weir.alerts.policy.Policy;
import org.weir.wire.CaseFact;
import org.weir.wire.Identity;

/**
 * Holds a user's case: one cause in one program. Its counts are sums over the newest results, so
 * that neither their order nor a repetition makes a difference.
 */
public final class CaseFacts {

  public String id;
  public String program;
  public String rule;

  /** The rule's title. */
  public String title;

  /** Runs that had it, and what they lost in millionths of a node-hour. */
  public long runs;

  public long lostMicroNodeHours;

  /** UTC milliseconds of the last message that named it; 0 before the first. */
  public long sentAt;

  /** Mode of that message, null before the first: in shadow nobody has seen it. */
  public Policy.@Nullable Mode sentIn;

  /** Messages in that mode. */
  public int timesSent;

  /** The last message said that it is fixed: the next finding opens it again. */
  public boolean fixed;

  /** Display ids of jobs of earlier messages in which a later result no longer finds it. */
  public List<String> retracted = List.of();

  /**
   * The version of its row: UTC milliseconds of its first change, and one more with each further.
   * So it rises even over a case that was forgotten after its time.
   */
  public long changes;

  /** Leaves the fields to be set next, as Flink does when it reads one. */
  @SuppressWarnings("NullAway.Init")
  public CaseFacts() {}

  static CaseFacts of(String cluster, String user, String program, Found found, long now) {
    CaseFacts it = new CaseFacts();
    it.id = id(cluster, user, program, found.rule);
    it.program = program;
    it.rule = found.rule;
    it.title = found.title;
    it.changes = now;
    return it;
  }

  static String id(String cluster, String user, String program, String rule) {
    return Identity.caseId(cluster, user, program, rule);
  }

  public double nodeHoursLost() {
    return lostMicroNodeHours / 1e6;
  }

  /** Whether a message of the mode has named it. */
  public boolean wasSent(Policy.Mode mode) {
    return sentAt != 0 && sentIn == mode;
  }

  /** Whether a message of the mode has named it, and none has said since that it is fixed. */
  boolean isOpen(Policy.Mode mode) {
    return wasSent(mode) && !fixed;
  }

  /**
   * Returns it as a message names it.
   *
   * @param heldBack why it was kept for a digest; null if it was not
   */
  CaseFact named(Policy.Mode mode, Outcome.@Nullable Reason heldBack) {
    return CaseFact.newBuilder()
        .setCase$(id)
        .setProgram(program)
        .setRuleId(rule)
        .setTitle(title)
        .setHeldBack(heldBack == null ? "" : heldBack.text())
        .setRuns(runs)
        .setNodeHoursLost(nodeHoursLost())
        .setTimesSent(wasSent(mode) ? timesSent : 0)
        .setRetracted(retracted)
        .build();
  }

  void send(Policy.Mode mode, long now, boolean asFixed) {
    timesSent = wasSent(mode) ? timesSent + 1 : 1;
    sentAt = now;
    sentIn = mode;
    fixed = asFixed;
    retracted = List.of();
    changes++;
  }

  void retract(String displayId) {
    TreeSet<String> all = new TreeSet<>(retracted);
    all.add(displayId);
    retracted = List.copyOf(all);
  }
}
