package org.weir.analysis.compare;

import static java.util.stream.Collectors.toMap;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.weir.analysis.evidence.FeatureSpec;
import org.weir.analysis.features.LogFeatures;

/**
 * Lists every feature that a rule can read. All are doubles in CEL. Each is declared by the class
 * that computes it.
 */
public final class FeatureCatalog {

  private static final Map<String, FeatureSpec> SPECS =
      Stream.concat(LogFeatures.all().stream(), JudgedFeatures.FEATURES.specs().stream())
          .collect(
              toMap(
                  FeatureSpec::name,
                  spec -> spec,
                  (one, other) -> {
                    throw new IllegalStateException(one.name() + " is declared twice");
                  },
                  LinkedHashMap::new));

  private FeatureCatalog() {}

  /** Returns all features in the order in which they are documented. */
  public static Collection<FeatureSpec> all() {
    return Collections.unmodifiableCollection(SPECS.values());
  }

  /** Returns the feature with this name; null if there is none. */
  public static @Nullable FeatureSpec find(String name) {
    return SPECS.get(name);
  }
}
