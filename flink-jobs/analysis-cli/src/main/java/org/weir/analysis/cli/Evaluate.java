package org.weir.analysis.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.weir.analysis.judge.Severity;
import org.weir.analysis.report.Json;
import org.weir.analysis.ruleengine.RuleOutcome;
import org.weir.analysis.ruleengine.RuleSet;

/**
 * What rules say of runs that were analyzed before: rows of the view runs, a JSON object a line
 * ({@link StoredRun}), to {@code {log_id, holds: [{id, evidence_class, severity}], unknowable:
 * [id]}}.
 */
final class Evaluate {
  private Evaluate() {}

  static int run(RuleSet rules, SiteFile site, InputStream in, PrintStream out) throws IOException {
    ListRules.checkThresholds(rules, site);
    Map<String, Map<String, Double>> thresholds =
        site.site() == null ? Map.of() : site.site().ruleThresholds();
    try (MappingIterator<JsonNode> rows = Json.MAPPER.readerFor(JsonNode.class).readValues(in)) {
      while (rows.hasNextValue()) {
        StoredRun run = StoredRun.of(rows.nextValue());
        out.println(
            Json.write(json(run, rules.evaluate(run.features(), thresholds, run.detail()))));
      }
    } catch (JsonProcessingException e) {
      throw new InputException(
          "line " + e.getLocation().getLineNr() + ": " + e.getOriginalMessage(), e);
    }
    return 0;
  }

  private static Map<String, Object> json(StoredRun run, List<RuleOutcome> outcomes) {
    List<Map<String, Object>> holds = new ArrayList<>();
    List<String> unknowable = new ArrayList<>();
    for (RuleOutcome outcome : outcomes) {
      if (outcome.holds()) {
        Map<String, Object> finding = new LinkedHashMap<>();
        finding.put("id", outcome.rule().id());
        finding.put("evidence_class", outcome.evidenceClass());
        finding.put(
            "severity", Severity.of(run.cost(), run.runTimeSeconds(), outcome.rule().severity()));
        holds.add(finding);
      } else if (outcome.state() == RuleOutcome.State.UNKNOWABLE) {
        unknowable.add(outcome.rule().id());
      }
    }
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("log_id", run.logId());
    json.put("holds", holds);
    json.put("unknowable", unknowable);
    return json;
  }
}
