package org.weir.flink.config;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads a properties file whose keys the environment can override: {@code kafka.bootstrap} by
 * {@code WEIR_KAFKA_BOOTSTRAP}. Problems are collected, so that {@link #check} can report all of
 * them at once.
 */
public final class ConfigReader {

  private final String file;
  private final Properties properties;
  private final Map<String, String> environment;
  private final Set<String> asked = new TreeSet<>();
  private final List<String> problems = new ArrayList<>();

  ConfigReader(String file, Properties properties, Map<String, String> environment) {
    this.file = file;
    this.properties = properties;
    this.environment = environment;
  }

  /**
   * Reads a job's arguments {@code --config FILE [KEY=VALUE ...]}; what they set goes before the
   * file.
   *
   * @throws ConfigException if they are others or the file cannot be read
   */
  public static ConfigReader fromArguments(String[] args, Map<String, String> environment) {
    List<String> settings = List.of(args).subList(Math.min(2, args.length), args.length);
    if (args.length < 2
        || !args[0].equals("--config")
        || !settings.stream().allMatch(setting -> setting.indexOf('=') > 0)) {
      throw new ConfigException(
          "(none)", List.of("expected the arguments --config FILE [KEY=VALUE ...]"));
    }
    Path path = Path.of(args[1]);
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(path, StandardCharsets.UTF_8)) {
      properties.load(reader);
    } catch (IOException | IllegalArgumentException e) {
      throw new ConfigException(path.toString(), List.of("cannot be read: " + e));
    }
    for (String setting : settings) {
      int equals = setting.indexOf('=');
      properties.setProperty(setting.substring(0, equals), setting.substring(equals + 1));
    }
    return new ConfigReader(path.toString(), properties, environment);
  }

  /** A text that must be there. */
  public String text(String key) {
    String value = value(key);
    if (value == null || value.isBlank()) {
      problems.add(key + ": missing (in the environment: " + environmentName(key) + ")");
      return "";
    }
    return value.strip();
  }

  public String text(String key, String otherwise) {
    String value = value(key);
    return value == null ? otherwise : value.strip();
  }

  /** One of some values, the first where nothing is said. */
  public String oneOf(String key, String... values) {
    String value = text(key, values[0]);
    if (!List.of(values).contains(value)) {
      problems.add(key + ": expected one of " + String.join(", ", values) + ", found " + value);
    }
    return value;
  }

  /** A time in seconds, which may have decimals. */
  public Duration seconds(String key, Duration otherwise) {
    String value = value(key);
    if (value == null) {
      return otherwise;
    }
    try {
      double seconds = Double.parseDouble(value.strip());
      if (seconds > 0 && seconds < 1e10) {
        return Duration.ofMillis(Math.round(seconds * 1000));
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    problems.add(key + ": expected a positive number of seconds, found " + value);
    return otherwise;
  }

  /** The content of the file that the key names, without the line's end. */
  public String secretInFile(String key) {
    String path = text(key);
    if (path.isEmpty()) {
      return "";
    }
    try {
      return Files.readString(Path.of(path)).strip();
    } catch (IOException e) {
      problems.add(key + ": file " + path + " cannot be read: " + e);
      return "";
    }
  }

  /** All keys below a prefix, without it; for settings that are only handed on. */
  public Map<String, String> below(String prefix) {
    Map<String, String> found = new TreeMap<>();
    for (String key : properties.stringPropertyNames()) {
      if (key.startsWith(prefix)) {
        found.put(key.substring(prefix.length()), text(key));
      }
    }
    return found;
  }

  /**
   * To be called when everything was read.
   *
   * @throws ConfigException with every problem, unknown keys included
   */
  public void check() {
    for (String key : new TreeSet<>(properties.stringPropertyNames())) {
      if (!asked.contains(key)) {
        problems.add(key + ": unknown; known are " + String.join(", ", asked));
      }
    }
    if (!problems.isEmpty()) {
      throw new ConfigException(file, problems);
    }
  }

  /** Null where nothing is said. */
  private @Nullable String value(String key) {
    asked.add(key);
    String override = environment.get(environmentName(key));
    return override != null ? override : properties.getProperty(key);
  }

  static String environmentName(String key) {
    return "WEIR_" + key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
  }
}
