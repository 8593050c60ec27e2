package org.weir.analysis.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.weir.analysis.judge.RunJudgement;

/**
 * Results change only with the revision of the code, or with the rules. The file
 * golden/results.json holds what each real log gave when it was recorded, with {@code
 * -Drecord=src/test/resources}.
 */
class GoldenResultsTest {
  private static final Path REAL = Path.of("../analysis/src/test/resources/real");
  private static final Path RULES = Path.of("../../schemas/rules");
  private static final String FILE = "golden/results.json";
  private static final JsonMapper JSON = JsonMapper.builder().build();

  /** Hashes of results by log, with what they were made by. */
  record Golden(int revision, String rules, TreeMap<String, String> results) {}

  @Test
  void equalInputGivesEqualResultsUnderOneRevision() throws Exception {
    Golden recorded;
    try (InputStream in = getClass().getResourceAsStream("/" + FILE)) {
      recorded = JSON.readValue(in, Golden.class);
    }
    Golden now = now();
    if (!now.equals(recorded)) {
      assertThat(now.revision() != recorded.revision() || !now.rules().equals(recorded.rules()))
          .as("the same code revision and rules gave other results: raise RunJudgement.REVISION")
          .isTrue();
    }
    assertThat(now).as("record the results anew").isEqualTo(recorded);
  }

  @Test
  @EnabledIfSystemProperty(named = "record", matches = ".+")
  void record() throws Exception {
    Path file = Path.of(System.getProperty("record")).resolve(FILE);
    Files.createDirectories(file.getParent());
    JSON.writerWithDefaultPrettyPrinter().writeValue(file.toFile(), now());
  }

  private static Golden now() throws Exception {
    TreeMap<String, String> results = new TreeMap<>();
    for (Path log : files(REAL, ".gz")) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      try (InputStream in = new GZIPInputStream(Files.newInputStream(log))) {
        String[] arguments = {"analyze", "--rules", RULES.toString()};
        Cli.run(arguments, in, new PrintStream(out, true, UTF_8), System.err);
      }
      results.put(log.getFileName().toString().replace(".messages.gz", ""), hash(canonical(out)));
    }
    MessageDigest rules = MessageDigest.getInstance("SHA-256");
    for (Path rule : files(RULES, ".yaml")) {
      rules.update(Files.readAllBytes(rule));
    }
    return new Golden(RunJudgement.REVISION, text(rules.digest()), results);
  }

  /** The fields of all objects in one order: that of the program means nothing. */
  private static byte[] canonical(ByteArrayOutputStream lines) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (String line : lines.toString(UTF_8).lines().toList()) {
      out.write(JSON.writeValueAsBytes(new TreeMap<>(JSON.readValue(line, Map.class))));
    }
    return out.toByteArray();
  }

  private static List<Path> files(Path folder, String end) throws Exception {
    try (var files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(end)).sorted().toList();
    }
  }

  private static String hash(byte[] bytes) throws Exception {
    return text(MessageDigest.getInstance("SHA-256").digest(bytes));
  }

  private static String text(byte[] digest) {
    return HexFormat.of().formatHex(digest, 0, 8);
  }
}
