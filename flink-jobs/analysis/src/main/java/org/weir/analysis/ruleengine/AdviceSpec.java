package org.weir.analysis.ruleengine;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A piece of advice as a rule file states it: its key alone, or {@code {id, parameters, files}}.
 *
 * @param id key of the text
 * @param parameters by name: CEL over features and thresholds, a number
 * @param files CEL over a file, features and thresholds: which of the run's largest files it is
 *     about; null for none
 */
public record AdviceSpec(String id, Map<String, String> parameters, @Nullable String files) {
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  static AdviceSpec of(JsonNode node) {
    if (node.isTextual()) {
      return new AdviceSpec(node.asText(), Map.of(), null);
    }
    Map<String, String> parameters = new TreeMap<>();
    for (Iterator<String> names = node.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      if (!name.equals("id") && !name.equals("parameters") && !name.equals("files")) {
        throw new IllegalArgumentException("advice: unknown field " + name);
      }
    }
    node.path("parameters")
        .fields()
        .forEachRemaining(entry -> parameters.put(entry.getKey(), entry.getValue().asText()));
    JsonNode files = node.get("files");
    return new AdviceSpec(
        node.path("id").asText(""), parameters, files == null ? null : files.asText());
  }
}
