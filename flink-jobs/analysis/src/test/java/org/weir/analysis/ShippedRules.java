package org.weir.analysis;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.weir.analysis.rules.RuleException;
import org.weir.analysis.rules.RuleOutcome;
import org.weir.analysis.rules.RuleSet;
import org.yaml.snakeyaml.Yaml;

/** The rule files of schemas/rules, as the command line would publish them. */
final class ShippedRules {
  static final List<String> IDS = List.of("rank0_io", "small_io", "metadata_heavy");
  static final RuleSet RULES = load();

  private ShippedRules() {}

  static RuleOutcome outcome(String rule, RunFeatures features) {
    return RULES.evaluate(features.features()).stream()
        .filter(o -> o.rule().id().equals(rule))
        .findFirst()
        .orElseThrow();
  }

  private static RuleSet load() {
    List<Object> rules = new ArrayList<>();
    for (String id : IDS) {
      try (InputStream in = ShippedRules.class.getResourceAsStream("/rules/" + id + ".yaml")) {
        rules.add(new Yaml().load(new String(in.readAllBytes(), UTF_8)));
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }
    try {
      Map<String, Object> document = Map.of("id", "default", "rules", rules);
      return RuleSet.parse(new JsonMapper().writeValueAsString(document));
    } catch (RuleException | IOException e) {
      throw new AssertionError(e);
    }
  }
}
