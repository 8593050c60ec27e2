package org.weir.analysis.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.weir.analysis.compare.FeatureCatalog;
import org.weir.analysis.evidence.EvidenceClass;
import org.weir.analysis.evidence.Feature;
import org.weir.analysis.ruleengine.RuleOutcome;
import org.weir.analysis.ruleengine.RuleSet;
import org.weir.analysis.run.RunDetail;
import org.weir.analysis.run.RunFile;

/** The rules in the jar against the same files compiled now. */
class PreparedRulesTest {
  private static final Path RULES = Path.of("../../schemas/rules");

  @TempDir Path folder;

  @Test
  void theyAreTheRulesThatShip() throws Exception {
    RuleSet prepared = PreparedRules.of(RuleFiles.content(RULES));
    assertThat(prepared.rules()).isEqualTo(RuleFiles.compile(RULES).rules()).hasSizeGreaterThan(20);
  }

  @Test
  void theySayTheSameOfAnyRun() throws Exception {
    RuleSet prepared = PreparedRules.of(RuleFiles.content(RULES));
    RuleSet compiled = RuleFiles.compile(RULES);
    Random random = new Random(17);
    Set<String> held = new TreeSet<>();
    Set<RuleOutcome.State> states = new TreeSet<>();
    for (int run = 0; run < 500; run++) {
      Map<String, Feature> features = features(random);
      List<RunFile> files = IntStream.range(0, 5).mapToObj(i -> file(i, random)).toList();
      List<RunDetail.FilesystemPart> filesystems =
          IntStream.range(0, 2)
              .mapToObj(i -> RunDetail.FilesystemPart.ofFeatures("fs" + i, features(random)))
              .toList();
      RunDetail detail = new RunDetail(filesystems, List.of(), files);
      List<RuleOutcome> outcomes = prepared.evaluate(features, Map.of(), detail);
      assertThat(outcomes).isEqualTo(compiled.evaluate(features, Map.of(), detail));
      outcomes.stream().filter(RuleOutcome::holds).forEach(each -> held.add(each.rule().id()));
      outcomes.forEach(each -> states.add(each.state()));
    }
    assertThat(held).hasSizeGreaterThan(20);
    assertThat(states).containsExactlyInAnyOrder(RuleOutcome.State.values());
  }

  /** Numbers of all magnitudes, some of them unknown or from a module that lacks records. */
  private static Map<String, Feature> features(Random random) {
    Map<String, Feature> features = new HashMap<>();
    double unknown = random.nextDouble() / 4;
    FeatureCatalog.all()
        .forEach(
            spec -> {
              boolean known = random.nextDouble() > unknown;
              EvidenceClass evidence =
                  known ? EvidenceClass.values()[random.nextInt(4)] : EvidenceClass.UNKNOWABLE;
              features.put(
                  spec.name(),
                  new Feature(
                      spec.name(), known ? number(random) : null, evidence, random.nextBoolean()));
            });
    return features;
  }

  private static double number(Random random) {
    return random.nextInt(6) == 0 ? 0 : Math.pow(10, random.nextInt(18) - 4) * random.nextDouble();
  }

  private static RunFile file(int number, Random random) {
    double[] n = random.doubles(9).map(each -> number(random)).toArray();
    String sharing = random.nextBoolean() ? "shared" : "unique";
    return new RunFile(
        "" + number, "scratch", sharing, n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8]);
  }

  @Test
  void filesThatDifferAreCompiled() throws Exception {
    try (Stream<Path> files = Files.list(RULES)) {
      for (Path file : files.toList()) {
        Files.copy(file, folder.resolve(file.getFileName()));
      }
    }
    assertThat(PreparedRules.of(RuleFiles.content(folder))).isNotNull();
    Path small = folder.resolve("small_io.yaml");
    String text = Files.readString(small);
    Files.writeString(small, text.replace("fewest_requests: 100", "fewest_requests: 101"));
    assertThat(PreparedRules.of(RuleFiles.content(folder))).isNull();
    assertThat(RuleFiles.load(folder).rules())
        .filteredOn(rule -> rule.id().equals("small_io"))
        .singleElement()
        .satisfies(rule -> assertThat(rule.thresholds()).containsEntry("fewest_requests", 101.0));
    Files.writeString(small, text);
    Files.move(small, folder.resolve("other.yaml"));
    assertThat(PreparedRules.of(RuleFiles.content(folder))).isNull();
  }
}
