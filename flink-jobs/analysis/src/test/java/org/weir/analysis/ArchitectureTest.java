package org.weir.analysis;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "org.weir", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
  @ArchTest
  static final ArchRule NO_STREAM_ENGINE =
      noClasses().should().dependOnClassesThat().resideInAPackage("org.apache.flink..");

  @ArchTest
  static final ArchRule NO_CLOCK =
      noClasses()
          .that()
          .resideInAPackage("org.weir.analysis..")
          .should()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(java.time.Instant.class, "now")
          .because("equal input must give equal rows");
}
