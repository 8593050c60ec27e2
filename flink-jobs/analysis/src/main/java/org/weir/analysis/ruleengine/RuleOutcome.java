package org.weir.analysis.ruleengine;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.weir.analysis.evidence.EvidenceClass;

/**
 * What a rule says of a run.
 *
 * @param rule the rule
 * @param state whether it holds
 * @param evidenceClass EXACT, BOUNDED or UNKNOWABLE: the worst of the features it read. A rule that
 *     does not hold on exact evidence is proven absent
 * @param evidence values of the features that the rule quotes, unknown ones left out; of a rule
 *     that judges file systems also {@code filesystem}, the id of the one that they are of, and
 *     {@code other_filesystems}, those that it holds for too
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

  /** This with one more entry of evidence. */
  RuleOutcome with(String name, Object value) {
    Map<String, Object> more = new LinkedHashMap<>(evidence);
    more.put(name, value);
    return new RuleOutcome(rule, state, evidenceClass, more, reasons, advice);
  }

  /** The rule holds: it is a finding. */
  public boolean holds() {
    return state == State.HOLDS;
  }
}
