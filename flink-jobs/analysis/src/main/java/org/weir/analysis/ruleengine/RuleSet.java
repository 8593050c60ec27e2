package org.weir.analysis.ruleengine;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.weir.analysis.evidence.Feature;
import org.weir.analysis.run.RunDetail;

/**
 * The active rules, compiled. The text is the canonical JSON of a published document: {@code {id,
 * revision, rules: [{id, title, blames, scope, thresholds, condition, evidence, advice,
 * severity}]}}.
 *
 * <p>Not serializable: keep the text as state and compile it where it is used.
 */
public final class RuleSet {
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  /** By id, in the order of the file. */
  private final Map<String, CompiledRule> rules;

  private RuleSet(Map<String, CompiledRule> rules) {
    this.rules = rules;
  }

  /** No rules. */
  public static RuleSet empty() {
    return new RuleSet(Map.of());
  }

  /**
   * Compiles rules; takes a few ten milliseconds each, so keep the result.
   *
   * @throws RuleException with everything that is wrong, if anything is
   */
  public static RuleSet parse(String json) throws RuleException {
    List<RuleProblem> problems = new ArrayList<>();
    Map<String, CompiledRule> compiled = compileAll(rules(json, problems), problems);
    if (!problems.isEmpty()) {
      throw new RuleException(problems);
    }
    return new RuleSet(compiled);
  }

  /** The rules as {@link #write} left them, ready without being compiled again. */
  public static RuleSet read(DataInput in) throws IOException {
    Map<String, CompiledRule> rules = new LinkedHashMap<>();
    for (CompiledRule rule : RuleBytes.read(in)) {
      rules.put(rule.rule().id(), rule);
    }
    return new RuleSet(rules);
  }

  /** Writes what {@link #read} of the same program needs; it is no format that outlives a build. */
  public void write(DataOutput out) throws IOException {
    RuleBytes.write(rules.values(), out);
  }

  /** The rules as their files state them. */
  public List<Rule> rules() {
    return rules.values().stream().map(CompiledRule::rule).toList();
  }

  /** What is wrong with a site's own thresholds: rules or names that there are not. */
  public List<RuleProblem> checkThresholds(Map<String, Map<String, Double>> ofSite) {
    List<RuleProblem> problems = new ArrayList<>();
    new TreeMap<>(ofSite)
        .forEach(
            (id, thresholds) -> {
              CompiledRule rule = rules.get(id);
              if (rule == null) {
                problems.add(new RuleProblem(id, "rule_thresholds", 0, 0, "there is no such rule"));
                return;
              }
              for (String name : new TreeSet<>(thresholds.keySet())) {
                if (!rule.rule().thresholds().containsKey(name)) {
                  String reason = "the rule has no threshold " + name;
                  problems.add(new RuleProblem(id, "rule_thresholds", 0, 0, reason));
                }
              }
            });
    return problems;
  }

  /** What every rule says of a run with these features, by its own thresholds and of no file. */
  public List<RuleOutcome> evaluate(Map<String, Feature> features) {
    return evaluate(features, Map.of(), RunDetail.NONE);
  }

  /**
   * What every rule says of a run, in the order of the rules.
   *
   * @param siteThresholds by rule and name; unknown ones are ignored
   * @param detail the run's file systems, for rules that judge these, and its largest files, for
   *     advice
   */
  public List<RuleOutcome> evaluate(
      Map<String, Feature> features,
      Map<String, Map<String, Double>> siteThresholds,
      RunDetail detail) {
    Map<String, RuleOutcome> outcomes = new HashMap<>();
    rules.keySet().forEach(id -> evaluate(id, outcomes, features, siteThresholds, detail));
    return rules.keySet().stream().map(outcomes::get).toList();
  }

  private void evaluate(
      String id,
      Map<String, RuleOutcome> outcomes,
      Map<String, Feature> features,
      Map<String, Map<String, Double>> siteThresholds,
      RunDetail detail) {
    if (outcomes.containsKey(id)) {
      return;
    }
    CompiledRule rule = requireNonNull(rules.get(id), id);
    rule.reads().forEach(other -> evaluate(other, outcomes, features, siteThresholds, detail));
    outcomes.put(id, rule.evaluate(features, siteThresholds, outcomes, detail));
  }

  private static Map<String, JsonNode> rules(String json, List<RuleProblem> problems) {
    Map<String, JsonNode> byPlace = new LinkedHashMap<>();
    try {
      JsonNode document = JSON.readTree(json);
      JsonNode rules = document.isArray() ? document : document.path("rules");
      if (!rules.isArray()) {
        problems.add(whole("rules", "expected a list"));
      }
      for (int i = 0; rules.isArray() && i < rules.size(); i++) {
        byPlace.put("number " + (i + 1), rules.get(i));
      }
    } catch (JsonProcessingException e) {
      problems.add(whole("document", e.getOriginalMessage()));
    }
    return byPlace;
  }

  private static Map<String, CompiledRule> compileAll(
      Map<String, JsonNode> rules, List<RuleProblem> problems) {
    Set<String> ids = new TreeSet<>();
    rules.values().forEach(rule -> ids.add(rule.path("id").asText("")));
    Set<String> thresholds = new TreeSet<>();
    rules
        .values()
        .forEach(rule -> rule.path("thresholds").fieldNames().forEachRemaining(thresholds::add));
    RuleCompiler compiler = new RuleCompiler(ids, thresholds);
    Map<String, CompiledRule> compiled = new LinkedHashMap<>();
    rules.forEach(
        (place, node) -> {
          CompiledRule rule = compileOne(place, node, compiler);
          if (rule != null) {
            compiled.put(rule.rule().id(), rule);
          }
        });
    compiler.checkCircles(compiled);
    problems.addAll(compiler.problems());
    return compiled;
  }

  private static @Nullable CompiledRule compileOne(
      String place, JsonNode node, RuleCompiler compiler) {
    if (!node.isObject()) {
      compiler.problems().add(new RuleProblem(place, "rule", 0, 0, "expected an object"));
      return null;
    }
    try {
      return compiler.compile(place, JSON.treeToValue(node, Rule.class));
    } catch (JsonProcessingException e) {
      String id = node.path("id").asText(place);
      compiler.problems().add(new RuleProblem(id, "rule", 0, 0, e.getOriginalMessage()));
      return null;
    }
  }

  private static RuleProblem whole(String field, String reason) {
    return new RuleProblem("", field, 0, 0, reason);
  }
}
