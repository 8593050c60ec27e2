package org.weir.analysis;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.weir.analysis.compare.Baseline;
import org.weir.analysis.compare.JudgedFeatures;
import org.weir.analysis.evidence.Feature;
import org.weir.analysis.load.LoadState;
import org.weir.analysis.load.LoadSummary;
import org.weir.analysis.ruleengine.RuleException;
import org.weir.analysis.ruleengine.RuleOutcome;
import org.weir.analysis.ruleengine.RuleSet;
import org.weir.analysis.run.RunFeatures;
import org.weir.analysis.slowness.Cost;
import org.weir.analysis.slowness.References;
import org.yaml.snakeyaml.Yaml;

/** The rule files of schemas/rules, as the command line would publish them. */
public final class ShippedRules {
  static final Path FOLDER = Path.of("../../schemas/rules");
  public static final RuleSet RULES = load();

  private ShippedRules() {}

  /** Rules that hold for a run of which nothing but its log is known. */
  static Set<String> holding(RunFeatures run) {
    Cost cost = Cost.of(run, null, null, TestLog.SITE, new References());
    LoadSummary load = new LoadSummary(LoadState.NO_SAMPLES, 1, 0, null, null, null, 0, null);
    return RULES
        .evaluate(
            JudgedFeatures.of(run.features(), cost, load, Baseline.NONE), Map.of(), run.detail())
        .stream()
        .filter(RuleOutcome::holds)
        .map(outcome -> outcome.rule().id())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  public static RuleOutcome outcome(String rule, RunFeatures run) {
    return outcome(rule, run.features(), run);
  }

  public static RuleOutcome outcome(String rule, Map<String, Feature> features, RunFeatures run) {
    return RULES.evaluate(features, Map.of(), run.detail()).stream()
        .filter(o -> o.rule().id().equals(rule))
        .findFirst()
        .orElseThrow();
  }

  private static RuleSet load() {
    try (Stream<Path> files = Files.list(FOLDER)) {
      List<Object> rules = new ArrayList<>();
      for (Path file : files.sorted().toList()) {
        rules.add(new Yaml().load(Files.readString(file)));
      }
      return RuleSet.parse(new JsonMapper().writeValueAsString(Map.of("rules", rules)));
    } catch (RuleException | IOException e) {
      throw new AssertionError(e);
    }
  }
}
