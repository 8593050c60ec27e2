package org.weir.analysis.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.List;
import org.weir.analysis.ruleengine.RuleException;
import org.weir.analysis.ruleengine.RuleProblem;
import org.weir.analysis.ruleengine.RuleSet;

/**
 * Checks rules with the evaluator that will run them: reads their JSON (a document with {@code
 * rules}, or a list) from standard input, prints a JSON list of {@code {rule, field, line, column,
 * reason}}. Exit status 0 where the list is empty, else 1.
 */
final class CheckRules {
  private CheckRules() {}

  static int run(InputStream in, PrintStream out) throws IOException {
    List<RuleProblem> problems = check(new String(in.readAllBytes(), UTF_8));
    out.println(new JsonMapper().writeValueAsString(problems));
    return problems.isEmpty() ? 0 : 1;
  }

  private static List<RuleProblem> check(String json) {
    try {
      RuleSet.parse(json);
      return List.of();
    } catch (RuleException e) {
      return e.problems();
    }
  }
}
