package org.weir.analysis.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.weir.analysis.report.Json;
import org.weir.analysis.ruleengine.RuleException;
import org.weir.analysis.ruleengine.RuleSet;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/** Rules of a folder, one YAML file a rule, or of a JSON file as it is published. */
final class RuleFiles {
  private RuleFiles() {}

  /** The rules of a path, compiled in this run or, where they are those that ship, at build. */
  static RuleSet load(Path path) {
    try {
      RuleSet prepared = Files.isDirectory(path) ? PreparedRules.of(content(path)) : null;
      return prepared == null ? compile(path) : prepared;
    } catch (IOException e) {
      throw unreadable(path, e);
    }
  }

  static RuleSet compile(Path path) {
    try {
      return RuleSet.parse(Files.isDirectory(path) ? json(path) : Files.readString(path));
    } catch (RuleException e) {
      throw new InputException(path + ": " + e.getMessage(), e);
    } catch (IOException e) {
      throw unreadable(path, e);
    }
  }

  /** Names and bytes of a folder's rule files, by which they are the same or not. */
  static byte[] content(Path folder) throws IOException {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(content);
    for (Path file : files(folder)) {
      byte[] bytes = Files.readAllBytes(file);
      out.writeUTF(file.getFileName().toString());
      out.writeInt(bytes.length);
      out.write(bytes);
    }
    return content.toByteArray();
  }

  private static String json(Path folder) throws IOException {
    List<Path> files = files(folder);
    if (files.isEmpty()) {
      throw new InputException(folder + ": no rule (*.yaml) in it");
    }
    return Json.write(Map.of("rules", files.stream().map(RuleFiles::yaml).toList()));
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList();
    }
  }

  private static InputException unreadable(Path path, IOException e) {
    return new InputException(path + ": cannot be read (" + e.getMessage() + ")", e);
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
