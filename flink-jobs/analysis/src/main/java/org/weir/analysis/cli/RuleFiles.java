package org.weir.analysis.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.weir.analysis.rules.RuleException;
import org.weir.analysis.rules.RuleSet;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/** Rules of a folder, one YAML file a rule, or of a JSON file as it is published. */
final class RuleFiles {
  private RuleFiles() {}

  static RuleSet load(Path path) {
    try {
      return RuleSet.parse(Files.isDirectory(path) ? json(path) : Files.readString(path));
    } catch (RuleException e) {
      throw new InputException(path + ": " + e.getMessage(), e);
    } catch (IOException e) {
      throw new InputException(path + ": cannot be read (" + e.getMessage() + ")", e);
    }
  }

  private static String json(Path folder) throws IOException {
    List<Object> rules = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      files
          .filter(file -> file.toString().endsWith(".yaml"))
          .sorted()
          .forEach(file -> rules.add(yaml(file)));
    }
    if (rules.isEmpty()) {
      throw new InputException(folder + ": no rule (*.yaml) in it");
    }
    return Json.write(Map.of("rules", rules));
  }

  /** A YAML or JSON file as maps and lists. */
  static Object yaml(Path file) {
    try {
      String text = Files.readString(file, UTF_8);
      return new Yaml(new SafeConstructor(new LoaderOptions())).load(text);
    } catch (YAMLException e) {
      throw new InputException(file + ": " + e.getMessage(), e);
    } catch (IOException e) {
      throw new UncheckedIOException(file.toString(), e);
    }
  }
}
