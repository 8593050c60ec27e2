package org.weir.analysis.rules;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.weir.analysis.Feature;

/**
 * The rules in force, compiled. The text is the canonical JSON of a published document: {@code {id,
 * revision, rules: [{id, title, condition, evidence, advice, severity}]}}.
 *
 * <p>Not serializable: keep the text as state and compile it where it is used.
 */
public final class RuleSet {
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  private final List<CompiledRule> rules;

  private RuleSet(List<CompiledRule> rules) {
    this.rules = rules;
  }

  /** No rules. */
  public static RuleSet empty() {
    return new RuleSet(List.of());
  }

  /**
   * Compiles rules; takes a few ten milliseconds each, so keep the result.
   *
   * @throws RuleException with everything that is wrong, if anything is
   */
  public static RuleSet parse(String json) throws RuleException {
    RuleCompiler compiler = new RuleCompiler();
    List<CompiledRule> compiled = compileAll(json, compiler);
    if (!compiler.problems().isEmpty()) {
      throw new RuleException(compiler.problems());
    }
    return new RuleSet(compiled);
  }

  /** What every rule says of a run with these features, in the order of the rules. */
  public List<RuleOutcome> evaluate(Map<String, Feature> features) {
    return rules.stream().map(rule -> rule.evaluate(features)).toList();
  }

  private static List<CompiledRule> compileAll(String json, RuleCompiler compiler) {
    List<CompiledRule> compiled = new ArrayList<>();
    try {
      JsonNode document = JSON.readTree(json);
      JsonNode rules = document.isArray() ? document : document.path("rules");
      if (!rules.isArray()) {
        compiler.problems().add(whole("rules", "expected a list"));
        return compiled;
      }
      for (int i = 0; i < rules.size(); i++) {
        compileOne("number " + (i + 1), rules.get(i), compiler, compiled);
      }
    } catch (JsonProcessingException e) {
      compiler.problems().add(whole("document", e.getOriginalMessage()));
    }
    return compiled;
  }

  private static void compileOne(
      String place, JsonNode node, RuleCompiler compiler, List<CompiledRule> compiled) {
    if (!node.isObject()) {
      compiler.problems().add(new RuleProblem(place, "rule", 0, 0, "expected an object"));
      return;
    }
    try {
      compiled.add(compiler.compile(place, JSON.treeToValue(node, Rule.class)));
    } catch (JsonProcessingException e) {
      String id = node.path("id").asText(place);
      compiler.problems().add(new RuleProblem(id, "rule", 0, 0, e.getOriginalMessage()));
    }
  }

  private static RuleProblem whole(String field, String reason) {
    return new RuleProblem("", field, 0, 0, reason);
  }
}
