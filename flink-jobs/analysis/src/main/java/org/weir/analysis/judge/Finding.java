package org.weir.analysis.judge;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.weir.analysis.evidence.EvidenceClass;
import org.weir.analysis.ruleengine.Advice;
import org.weir.analysis.ruleengine.RuleOutcome;
import org.weir.analysis.slowness.Cost;

/**
 * A rule that holds for a run, as it stands in the table findings.
 *
 * @param evidenceClass exact or bounded
 * @param evidence JSON object: feature to value
 * @param reasons features of the comparisons that made the rule hold
 * @param nodeHoursLost of the run, shared by its findings; null if unknown
 * @param advice keys of texts
 * @param facts what to change, with the numbers and the files that it is about
 */
public record Finding(
    String ruleId,
    String title,
    Severity severity,
    EvidenceClass evidenceClass,
    String evidence,
    List<String> reasons,
    @Nullable Double nodeHoursLost,
    List<String> advice,
    List<Advice> facts) {

  private static final JsonMapper JSON = new JsonMapper();

  static Finding of(RuleOutcome outcome, Cost cost, double runTimeSeconds) {
    return new Finding(
        outcome.rule().id(),
        outcome.rule().title(),
        Severity.of(cost, runTimeSeconds, outcome.rule().severity()),
        outcome.evidenceClass(),
        json(outcome.evidence()),
        outcome.reasons(),
        cost.nodeHoursLost(),
        outcome.advice().stream().map(Advice::id).toList(),
        outcome.advice());
  }

  /** The evidence, read back: feature to value. */
  public JsonNode evidenceValues() {
    try {
      return JSON.readTree(evidence);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("evidence is no JSON", e);
    }
  }

  /** Returns the numbers of the advice as a JSON object: key of a text to its numbers by name. */
  public String adviceNumbers() {
    Map<String, Object> numbers = new TreeMap<>();
    facts.forEach(advice -> numbers.put(advice.id(), advice.parameters()));
    return json(numbers);
  }

  private static String json(Map<String, Object> values) {
    try {
      return JSON.writeValueAsString(values);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a finding's numbers cannot be written", e);
    }
  }
}
