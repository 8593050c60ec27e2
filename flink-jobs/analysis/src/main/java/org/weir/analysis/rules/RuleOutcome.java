package org.weir.analysis.rules;

import java.util.List;
import java.util.Map;
import org.weir.analysis.EvidenceClass;

/**
 * What a rule says of a run.
 *
 * @param rule the rule
 * @param state whether it holds
 * @param evidenceClass EXACT, BOUNDED or UNKNOWABLE: the worst of the features it read. A rule that
 *     does not hold on exact evidence is proven absent
 * @param evidence values of the features that the rule quotes, unknown ones left out
 * @param reasons features of the comparisons that made the rule hold, sorted; else empty
 * @param advice of a rule that holds, else empty
 */
public record RuleOutcome(
    Rule rule,
    State state,
    EvidenceClass evidenceClass,
    Map<String, Object> evidence,
    List<String> reasons,
    List<Advice> advice) {

  /** Whether a rule holds. */
  public enum State {
    HOLDS,
    DOES_NOT_HOLD,
    /** What the log lacks decides. */
    UNKNOWABLE
  }

  /** The rule holds: it is a finding. */
  public boolean holds() {
    return state == State.HOLDS;
  }
}
