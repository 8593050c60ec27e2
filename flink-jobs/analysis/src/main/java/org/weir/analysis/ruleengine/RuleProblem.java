package org.weir.analysis.ruleengine;

/**
 * Why a rule is refused.
 *
 * @param rule its id, or its place in the list where it has none
 * @param field of the rule: condition, evidence, ...
 * @param line of the problem within the field's text, from 1; 0 where it concerns the whole field
 * @param column within the line, from 1; 0 likewise
 * @param reason in words
 */
public record RuleProblem(String rule, String field, int line, int column, String reason) {
  @Override
  public String toString() {
    String place = line == 0 ? "" : " line " + line + " column " + column;
    return "rule " + rule + ", " + field + place + ": " + reason;
  }
}
