package org.weir.analysis.rules;

import java.util.List;

/**
 * A rule as its file states it (schemas/rule.schema.json). Every rule is about what a program does;
 * it explains an application's slowness.
 *
 * @param id such as small_io
 * @param title one line for people
 * @param condition CEL over features, boolean
 * @param evidence features that a finding quotes
 * @param advice keys of texts
 * @param severity thresholds of cost
 */
public record Rule(
    String id,
    String title,
    String condition,
    List<String> evidence,
    List<String> advice,
    SeverityThresholds severity) {

  public Rule {
    evidence = evidence == null ? List.of() : List.copyOf(evidence);
    advice = advice == null ? List.of() : List.copyOf(advice);
    severity = severity == null ? SeverityThresholds.DEFAULT : severity;
  }
}
