package org.weir.analysis.ruleengine;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A rule as its file states it (schemas/rule.schema.json).
 *
 * @param id such as small_io
 * @param title one line for people
 * @param blames what it explains a slow run with; the application if the file does not say
 * @param scope what it is evaluated of; the run if the file does not say
 * @param thresholds numbers that the condition reads by name; a site may have its own
 * @param condition CEL over features, thresholds and other rules (by their ids), boolean
 * @param evidence features that a finding quotes
 * @param advice what to change
 * @param severity thresholds of cost
 */
public record Rule(
    String id,
    String title,
    Responsible blames,
    Scope scope,
    Map<String, Double> thresholds,
    String condition,
    List<String> evidence,
    List<AdviceSpec> advice,
    SeverityThresholds severity) {

  /**
   * Takes what the file states; null for a field that it leaves out. One that a rule cannot be
   * without is refused when the rule is compiled.
   */
  public Rule(
      String id,
      String title,
      @Nullable Responsible blames,
      @Nullable Scope scope,
      @Nullable Map<String, Double> thresholds,
      String condition,
      @Nullable List<String> evidence,
      @Nullable List<AdviceSpec> advice,
      @Nullable SeverityThresholds severity) {
    this.id = id;
    this.title = title;
    this.condition = condition;
    this.blames = blames == null ? Responsible.APPLICATION : blames;
    this.scope = scope == null ? Scope.RUN : scope;
    this.thresholds = thresholds == null ? Map.of() : Map.copyOf(thresholds);
    this.evidence = evidence == null ? List.of() : List.copyOf(evidence);
    this.advice = advice == null ? List.of() : List.copyOf(advice);
    this.severity = severity == null ? SeverityThresholds.DEFAULT : severity;
  }

  /** The active thresholds where a site has these of its own. */
  Map<String, Double> thresholds(Map<String, Map<String, Double>> ofSite) {
    Map<String, Double> inForce = new java.util.TreeMap<>(thresholds);
    ofSite
        .getOrDefault(id, Map.of())
        .forEach((name, value) -> inForce.computeIfPresent(name, (n, old) -> value));
    return inForce;
  }
}
