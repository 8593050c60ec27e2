package org.weir.analysis.ruleengine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.weir.analysis.evidence.EvidenceClass;
import org.weir.analysis.evidence.Feature;
import org.weir.analysis.ruleengine.RuleOutcome.State;

class RuleSetTest {
  private static Feature exact(String name, Double value) {
    return new Feature(name, value, EvidenceClass.EXACT, false);
  }

  private static Map<String, Feature> features(Feature... features) {
    Map<String, Feature> map = new HashMap<>();
    for (Feature feature : features) {
      map.put(feature.name(), feature);
    }
    return map;
  }

  private static String json(String id, String condition) throws Exception {
    return new JsonMapper()
        .writeValueAsString(
            List.of(
                Map.of(
                    "id",
                    id,
                    "title",
                    "t",
                    "condition",
                    condition,
                    "evidence",
                    List.of("nprocs"),
                    "advice",
                    List.of("a"))));
  }

  private static RuleOutcome run(String condition, Feature... features) throws Exception {
    return RuleSet.parse(json("r", condition)).evaluate(features(features)).get(0);
  }

  /** {@code opens} is 5, {@code nprocs} 4, {@code stats} unknown. */
  @ParameterizedTest
  @CsvSource({
    "nprocs > 1.0, nprocs",
    "nprocs > 9.0 || opens > 1.0, opens",
    "nprocs > 1.0 || opens > 1.0, nprocs opens",
    "stats > 1.0 || opens > nprocs, nprocs opens",
    "(opens > 1.0 && nprocs > 9.0) || nprocs > 1.0, nprocs",
    "(opens > 9.0 || nprocs > 1.0) && opens > 1.0, nprocs opens",
    "opens > 1.0 && !(nprocs > 9.0), opens",
    "!(opens > 1.0 && nprocs > 9.0) && nprocs > 1.0, nprocs",
    "(nprocs > 9.0 ? nprocs : opens) > 1.0, nprocs opens",
    "nprocs > 9.0, ",
    "stats > 1.0, ",
  })
  void theReasonsAreWhatTheTrueComparisonsRead(String condition, String reasons) throws Exception {
    RuleOutcome outcome =
        run(condition, exact("opens", 5.0), exact("nprocs", 4.0), exact("stats", null));
    assertThat(String.join(" ", outcome.reasons())).isEqualTo(reasons == null ? "" : reasons);
  }

  /** {@code opens} is unknown; {@code nprocs} is 4. */
  @ParameterizedTest
  @CsvSource({
    "opens > 1.0 || nprocs > 1.0, HOLDS",
    "nprocs > 1.0 || opens > 1.0, HOLDS",
    "opens > 1.0 && nprocs > 9.0, DOES_NOT_HOLD",
    "nprocs > 9.0 && opens > 1.0, DOES_NOT_HOLD",
    "opens > 1.0 && nprocs > 1.0, UNKNOWABLE",
    "opens > 1.0 || nprocs > 9.0, UNKNOWABLE",
    "opens > 1.0, UNKNOWABLE",
    "!(opens > 1.0), UNKNOWABLE",
    "opens > 1.0 || !(opens > 1.0), UNKNOWABLE",
    "!(opens > 1.0 && nprocs > 9.0), HOLDS",
    "(nprocs > 1.0 ? opens : nprocs) > 1.0, UNKNOWABLE",
    "(nprocs > 9.0 ? opens : nprocs) > 1.0, HOLDS",
    "opens * 2.0 > nprocs, UNKNOWABLE",
    "nprocs == 4.0, HOLDS",
    "nprocs >= 5, DOES_NOT_HOLD",
  })
  void theUnknownDecidesOnlyWhereNothingElseDoes(String condition, State state) throws Exception {
    assertThat(run(condition, exact("nprocs", 4.0), exact("opens", null)).state()).isEqualTo(state);
  }

  @Test
  void theEvidenceIsTheWorstOfWhatWasRead() throws Exception {
    Feature bounded = new Feature("opens", 9.0, EvidenceClass.LOWER_BOUND, false);
    Feature nprocs = exact("nprocs", 4.0);
    assertThat(run("opens > 1.0 && nprocs > 1.0", bounded, nprocs).evidenceClass())
        .isEqualTo(EvidenceClass.BOUNDED);
    assertThat(run("nprocs > 1.0 || opens > 1.0", bounded, nprocs).evidenceClass())
        .as("opens was not needed")
        .isEqualTo(EvidenceClass.EXACT);
    assertThat(run("nprocs > 1.0 || stats > 1.0", nprocs, exact("stats", null)).evidenceClass())
        .isEqualTo(EvidenceClass.EXACT);
  }

  @Test
  void whatLacksRecordsProvesNoAbsence() throws Exception {
    Feature some = new Feature("opens", 5.0, EvidenceClass.LOWER_BOUND, true);
    assertThat(run("opens > 9.0", some).state()).isEqualTo(State.UNKNOWABLE);
    assertThat(run("opens > 4.0", some).state()).isEqualTo(State.HOLDS);
    Feature none = new Feature("opens", 0.0, EvidenceClass.LOWER_BOUND, true);
    assertThat(run("opens == 0.0", none).state()).isEqualTo(State.UNKNOWABLE);
  }

  private static List<RuleProblem> problems(String json) {
    return catchThrowableOfType(RuleException.class, () -> RuleSet.parse(json)).problems();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nprocs > 'a' | 1 | 8 | no matching overload",
        "nprocs >     foo | 1 | 14 | undeclared reference to 'foo'",
        "nprocs + 1.0 | 1 | 8 | expected type 'bool' but found 'double'",
        "nprocs == 4 | 1 | 8 | no matching overload",
        "nprocs > | 1 | 9 | mismatched input",
      })
  void aWrongConditionIsRefusedWithItsPlace(String condition, int line, int column, String reason)
      throws Exception {
    assertThat(problems(json("r", condition)))
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.rule()).isEqualTo("r");
              assertThat(problem.field()).isEqualTo("condition");
              assertThat(problem.line()).isEqualTo(line);
              assertThat(problem.column()).isEqualTo(column);
              assertThat(problem.reason()).contains(reason);
            });
  }

  private static String rules(String... rules) {
    return "[" + String.join(",", rules) + "]";
  }

  private static String rule(String id, String more) {
    return "{\"id\": \"" + id + "\", \"title\": \"t\", " + more + "}";
  }

  @Test
  void aRuleReadsOthersWhateverTheirOrder() throws Exception {
    RuleSet set =
        RuleSet.parse(
            rules(
                rule("a", "\"condition\": \"b || c\""),
                rule("b", "\"condition\": \"nprocs > 9.0\""),
                rule("c", "\"condition\": \"opens > 1.0\"")));
    Feature bounded = new Feature("opens", 2.0, EvidenceClass.LOWER_BOUND, false);
    List<RuleOutcome> outcomes = set.evaluate(features(exact("nprocs", 4.0), bounded));
    assertThat(outcomes).extracting(o -> o.rule().id()).containsExactly("a", "b", "c");
    assertThat(outcomes.get(0).state()).isEqualTo(State.HOLDS);
    assertThat(outcomes.get(0).evidenceClass()).isEqualTo(EvidenceClass.BOUNDED);
    List<RuleOutcome> unknown = set.evaluate(features(exact("nprocs", 4.0), exact("opens", null)));
    assertThat(unknown.get(0).state()).isEqualTo(State.UNKNOWABLE);
  }

  @Test
  void rulesThatReadEachOtherInACircleAreRefused() {
    assertThat(
            problems(rules(rule("a", "\"condition\": \"b\""), rule("b", "\"condition\": \"a\""))))
        .extracting(RuleProblem::rule, RuleProblem::field)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("a", "condition"),
            org.assertj.core.groups.Tuple.tuple("b", "condition"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'condition': 'nprocs > x', 'thresholds': {'x': 1, 'y': 2}|thresholds|y is read by nothing",
        "'condition': 'nprocs > 1', 'thresholds': {'opens': 1}|thresholds|is a feature or a rule",
        "'condition': 'true', 'advice': [{'id': 'a', 'parameters': {'n': 'foo'}}]|advice|undeclared",
        "'condition': 'true', 'advice': [{'id': 'a', 'files': 'file_foo > 1'}]|advice|undeclared",
        "'condition': 'file_requests > 1.0'|condition|undeclared reference to 'file_requests'",
        "'condition': 'true', 'advice': [{'id': 'a', 'typo': 'b'}]|rule|unknown field typo",
        "'condition': 'true', 'blames': 'somebody'|rule|somebody",
      },
      quoteCharacter = '`')
  void whatIsWrongSaysWhere(String rule, String field, String reason) {
    assertThat(problems(rules(rule("r", rule.replace('\'', '"')))))
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.field()).isEqualTo(field);
              assertThat(problem.reason()).contains(reason);
            });
  }

  @Test
  void everythingThatIsWrongIsToldAtOnce() {
    List<RuleProblem> problems =
        problems(
            """
            {"id": "default", "rules": [
              {"id": "a", "title": "t", "condition": "true", "evidence": ["nothing"]},
              {"id": "a", "title": "", "condition": "true"},
              {"title": "t", "condition": "true", "typo": 1},
              {"title": "t", "condition": "true"}]}
            """);
    assertThat(problems)
        .extracting(RuleProblem::rule, RuleProblem::field)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("a", "evidence"),
            org.assertj.core.groups.Tuple.tuple("a", "title"),
            org.assertj.core.groups.Tuple.tuple("a", "id"),
            org.assertj.core.groups.Tuple.tuple("number 3", "rule"),
            org.assertj.core.groups.Tuple.tuple("number 4", "id"));
    assertThat(problems("{}")).singleElement().hasToString("rule , rules: expected a list");
    assertThat(problems("{\"rules\": {\"a\": 1}}")).hasSize(1);
    assertThat(problems("[null]"))
        .singleElement()
        .hasToString("rule number 1, rule: expected an object");
    assertThat(problems("[")).hasSize(1);
  }
}
