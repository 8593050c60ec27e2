package org.weir.analysis.cli;

import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.weir.analysis.compare.FeatureCatalog;
import org.weir.analysis.evidence.FeatureSpec;
import org.weir.analysis.report.Json;
import org.weir.analysis.ruleengine.Rule;
import org.weir.analysis.ruleengine.RuleProblem;
import org.weir.analysis.ruleengine.RuleSet;
import org.weir.site.Site;

/** Rules and features as data. */
final class ListRules {
  private ListRules() {}

  static int list(RuleSet rules, SiteFile site, PrintStream out) {
    checkThresholds(rules, site);
    rules.rules().forEach(rule -> out.println(Json.write(json(rule, site.site()))));
    return 0;
  }

  static int show(String id, RuleSet rules, SiteFile site, PrintStream out) {
    checkThresholds(rules, site);
    Rule rule =
        rules.rules().stream()
            .filter(r -> r.id().equals(id))
            .findFirst()
            .orElseThrow(() -> new InputException("no rule is called " + id));
    out.println(Json.write(json(rule, site.site())));
    return 0;
  }

  static int features(PrintStream out) {
    for (FeatureSpec spec : FeatureCatalog.all()) {
      Map<String, Object> json = new TreeMap<>();
      json.put("name", spec.name());
      json.put("unit", spec.unit());
      json.put("meaning", spec.meaning());
      json.put("sources", spec.sources());
      json.put("column_type", spec.columnType());
      json.put("of_log", spec.ofLog());
      json.put("by_filesystem", spec.byFilesystem());
      out.println(Json.write(json));
    }
    return 0;
  }

  /** Refuses a site file that overrides what there is not. */
  static void checkThresholds(RuleSet rules, SiteFile site) {
    if (site.site() != null) {
      List<RuleProblem> problems = rules.checkThresholds(site.site().ruleThresholds());
      if (!problems.isEmpty()) {
        throw new InputException("site: " + problems);
      }
    }
  }

  /** The rule with {@code site_thresholds}, those that the site has instead of the rule's. */
  private static Map<String, Object> json(Rule rule, @Nullable Site site) {
    Map<String, Object> json = new TreeMap<>();
    Json.tree(rule).fields().forEachRemaining(field -> json.put(field.getKey(), field.getValue()));
    json.put(
        "site_thresholds",
        site == null ? Map.of() : site.ruleThresholds().getOrDefault(rule.id(), Map.of()));
    return json;
  }
}
