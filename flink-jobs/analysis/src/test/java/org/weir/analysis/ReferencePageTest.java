package org.weir.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.weir.analysis.compare.FeatureCatalog;
import org.weir.analysis.evidence.FeatureSpec;
import org.weir.analysis.ruleengine.AdviceSpec;
import org.weir.analysis.ruleengine.Responsible;
import org.weir.analysis.ruleengine.Rule;
import org.weir.analysis.ruleengine.Scope;

/** REFERENCE.md is written from the catalog and the rule files; a difference leaves the new one. */
class ReferencePageTest {
  private static final Path PAGE = Path.of("REFERENCE.md");
  private static final Path NEW_PAGE = Path.of("target/REFERENCE.md");

  @Test
  void thePageIsThatOfTheCode() throws Exception {
    String page = page();
    Files.createDirectories(NEW_PAGE.getParent());
    Files.writeString(NEW_PAGE, page);
    assertThat(Files.exists(PAGE) ? Files.readString(PAGE) : "")
        .as("copy %s to %s", NEW_PAGE, PAGE)
        .isEqualTo(page);
  }

  private static String page() {
    StringBuilder page = new StringBuilder();
    page.append("# Features and rules\n\n");
    page.append(
        "Written by `ReferencePageTest` from the features' declarations (`FeatureGroup`) and `schemas/rules`.\n\n");
    page.append("## Rules\n");
    page.append(
        "Thresholds are the defaults; a site file overrides them in `rule_thresholds`.\n\n");
    for (Rule rule : ShippedRules.RULES.rules()) {
      rule(page, rule);
    }
    page.append("## Features\n");
    page.append("\"Listed\" means on a file system that the site lists: only such bytes can raise");
    page.append(" a finding. Every feature has\nan evidence class. Those marked * are not of the");
    page.append(" log: they come with the judgement.\n");
    page.append("Those marked + are known of each listed file system too, as a rule of the scope");
    page.append(" `filesystem` reads them.\n\n");
    page.append("| name | unit | what | made of |\n|---|---|---|---|\n");
    for (FeatureSpec spec : FeatureCatalog.all()) {
      String meaning = spec.meaning().replace("<", "&lt;").replace(">", "&gt;").replace("|", "\\|");
      String sources = String.join(", ", spec.sources());
      page.append(
          "| `%s`%s | %s | %s | %s |\n"
              .formatted(spec.name(), mark(spec), spec.unit(), meaning, sources));
    }
    return page.toString();
  }

  private static String mark(FeatureSpec spec) {
    return spec.byFilesystem() ? " +" : spec.ofLog() ? "" : " *";
  }

  private static void rule(StringBuilder page, Rule rule) {
    page.append(
        "### %s\n%s (blames %s%s).\n"
            .formatted(
                rule.id(),
                rule.title(),
                blamed(rule.blames()),
                rule.scope() == Scope.RUN ? "" : ", judges each file system by itself"));
    page.append("\n```\n").append(rule.condition().strip()).append("\n```\n");
    page.append("Thresholds: ");
    page.append(
        String.join(
            ", ",
            new TreeMap<>(rule.thresholds())
                .entrySet().stream()
                    .map(t -> "`%s` %s".formatted(t.getKey(), number(t.getValue())))
                    .toList()));
    page.append(".\nAdvice: ");
    page.append(
        String.join(
            ", ", rule.advice().stream().map(AdviceSpec::id).map("`%s`"::formatted).toList()));
    page.append(".\n\n");
  }

  private static String blamed(Responsible whom) {
    String name = whom.name().toLowerCase(java.util.Locale.ROOT);
    return whom == Responsible.NOBODY ? name : "the " + name;
  }

  private static String number(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }
}
