package org.weir.alerts;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.weir.alerts.Outcome.Reason;
import org.weir.alerts.policy.Policy;

/**
 * Holds what is known of a user from the rows that were written, when state was lost.
 *
 * @param cases with their counts
 * @param jobs newest results with findings, which a correction can still change
 * @param decisions in the order of time
 */
public record PastOfUser(
    List<CaseFacts> cases, Collection<JobFacts> jobs, List<Decision> decisions) {

  /**
   * A message, or one that was held back.
   *
   * @param kind finding, reminder, fixed or digest
   * @param held why it was held back; null if it was sent
   * @param cases that it was about
   */
  public record Decision(
      String kind,
      String unit,
      Policy.Mode mode,
      @Nullable Reason held,
      List<String> cases,
      Instant at) {}

  /**
   * Puts it into an empty memory. A result counts as one version older than it is: read again, it
   * counts once, and has its message if it had none.
   *
   * @param policy says on which day a message counted, and when the next digest leaves
   */
  public void restore(DeskMemory memory, Policy policy, Instant now) {
    cases.forEach(memory::put);
    jobs.forEach(job -> restore(job, memory));
    UserFacts user = memory.user();
    decisions.forEach(decision -> restore(decision, user, memory, policy));
    if (!user.heldBack.isEmpty()) {
      user.digestAt = policy.nextDigest(now).toEpochMilli();
    }
    memory.put(user);
  }

  private static void restore(JobFacts job, DeskMemory memory) {
    job.version -= job.version == 0 ? 0 : 1;
    memory.put(job);
    for (RunOfProgram run : job.runs) {
      ProgramFacts program = memory.program(run.program);
      program.add(run);
      memory.put(program);
    }
  }

  private static void restore(Decision decision, UserFacts user, DeskMemory memory, Policy policy) {
    Reason held = decision.held;
    if (held != null) {
      if (held.isForDigest()) {
        decision.cases.forEach(id -> user.heldBack.put(id, held));
      }
      return;
    }
    user.countMessage(policy.day(decision.at).toEpochDay(), decision.mode);
    if (decision.kind.equals("digest")) {
      user.heldBack.clear();
      return;
    }
    decision.cases.forEach(user.heldBack::remove);
    boolean isFixed = decision.kind.equals("fixed");
    UnitFacts unit = memory.unit(isFixed ? "fixed " + decision.unit : decision.unit);
    unit.send(decision.mode, decision.at.toEpochMilli());
    memory.put(unit);
  }
}
