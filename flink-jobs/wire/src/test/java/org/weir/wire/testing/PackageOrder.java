package org.weir.wire.testing;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.Map;

/** Checks that a module's packages depend on one another in one order only, and stay small. */
public final class PackageOrder {

  /** A package with more classes is hard to survey. */
  private static final long MOST_CLASSES = 16;

  private PackageOrder() {}

  /**
   * Checks the packages below {@code root}.
   *
   * @param packages all of them, each after those that it depends on; the root itself is {@code ""}
   */
  public static void check(String root, String... packages) {
    List<String> order =
        List.of(packages).stream().map(name -> name.isEmpty() ? root : root + "." + name).toList();
    JavaClasses classes =
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(root);
    Map<String, Long> sizes =
        classes.stream()
            .filter(it -> it.isTopLevelClass() && !it.getSimpleName().equals("package-info"))
            .collect(groupingBy(JavaClass::getPackageName, counting()));
    assertThat(sizes).containsOnlyKeys(order);
    assertThat(sizes.values()).allMatch(size -> size <= MOST_CLASSES);
    assertThat(
            classes.stream()
                .flatMap(it -> it.getDirectDependenciesFromSelf().stream())
                .filter(it -> order.contains(it.getTargetClass().getPackageName()))
                .filter(
                    it ->
                        order.indexOf(it.getOriginClass().getPackageName())
                            < order.indexOf(it.getTargetClass().getPackageName()))
                .map(it -> it.getDescription()))
        .as("uses of packages that stand later in the order")
        .isEmpty();
  }
}
