package org.weir.analysis.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The analysis as a program of its own. It reads and writes data only; files, words and plots are
 * the caller's.
 *
 * <pre>
 * analyze --rules PATH [--site FILE]      messages on standard input, JSON lines on standard output
 * rules check                             rules as JSON on standard input, a JSON list of problems
 * rules list --rules PATH [--site FILE]   a JSON line a rule
 * rules show ID --rules PATH              one of them
 * evaluate --rules PATH [--site FILE]     stored runs as JSON lines, what the rules say of each
 * features                                a JSON line a feature of the catalog
 * preview-alerts --site FILE              results of jobs, the messages to users ({@link PreviewAlerts})
 * </pre>
 *
 * PATH is a folder of rule files (*.yaml) or a JSON file of a published rule set. Without arguments
 * it is {@code rules check}. Exit status 0; 1 where rules or input are wrong; 2 for a wrong call.
 */
public final class Cli {
  private Cli() {}

  public static void main(String[] args) throws IOException {
    PrintStream out =
        new PrintStream(
            new BufferedOutputStream(new FileOutputStream(FileDescriptor.out)), false, UTF_8);
    int status = run(args, System.in, out, System.err);
    out.flush();
    System.exit(status);
  }

  static int run(String[] args, InputStream in, PrintStream out, PrintStream err)
      throws IOException {
    List<String> words = Arrays.stream(args).takeWhile(word -> !word.startsWith("--")).toList();
    Map<String, Path> options = new HashMap<>();
    try {
      for (int i = words.size(); i < args.length; i += 2) {
        if (i + 1 == args.length || !List.of("--rules", "--site").contains(args[i])) {
          throw new UsageException(args[i] + ": expected --rules PATH or --site FILE");
        }
        options.put(args[i], Path.of(args[i + 1]));
      }
      return run(words, options, in, out);
    } catch (UsageException e) {
      err.println(e.getMessage());
      return 2;
    } catch (InputException e) {
      err.println(e.getMessage());
      return 1;
    }
  }

  private static int run(
      List<String> words, Map<String, Path> options, InputStream in, PrintStream out)
      throws IOException {
    return switch (String.join(" ", words.subList(0, Math.min(2, words.size())))) {
      case "", "rules check" -> CheckRules.run(in, out);
      case "analyze" ->
          Analyze.run(
              RuleFiles.load(required(options, "--rules")),
              SiteFile.load(options.get("--site")),
              in,
              out);
      case "evaluate" ->
          Evaluate.run(
              RuleFiles.load(required(options, "--rules")),
              SiteFile.load(options.get("--site")),
              in,
              out);
      case "rules list" ->
          ListRules.list(
              RuleFiles.load(required(options, "--rules")),
              SiteFile.load(options.get("--site")),
              out);
      case "rules show" -> {
        if (words.size() != 3) {
          throw new UsageException("rules show: expected the id of one rule");
        }
        yield ListRules.show(
            words.get(2),
            RuleFiles.load(required(options, "--rules")),
            SiteFile.load(options.get("--site")),
            out);
      }
      case "features" -> ListRules.features(out);
      case "preview-alerts" ->
          PreviewAlerts.run(RuleFiles.yaml(required(options, "--site")), in, out);
      default -> throw new UsageException(String.join(" ", words) + ": there is no such command");
    };
  }

  private static Path required(Map<String, Path> options, String name) {
    if (!options.containsKey(name)) {
      throw new UsageException(name + " is missing");
    }
    return options.get(name);
  }
}
