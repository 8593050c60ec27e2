package org.weir.analysis;

import static java.util.stream.Collectors.toMap;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Lists every feature that a rule can read. All are doubles in CEL. Each is declared by the class
 * that computes it.
 */
public final class FeatureCatalog {

  private static final Map<String, FeatureSpec> SPECS =
      Stream.of(
              VolumeFeatures.FEATURES,
              FileFeatures.FEATURES,
              TimeFeatures.FEATURES,
              LayerFeatures.FEATURES,
              DistributionFeatures.FEATURES,
              RequestFeatures.FEATURES,
              MpiioFeatures.FEATURES,
              LustreFeatures.FEATURES,
              LibraryFeatures.FEATURES,
              FeatureComputer.FEATURES,
              JudgedFeatures.FEATURES)
          .flatMap(group -> group.specs().stream())
          .collect(
              toMap(
                  FeatureSpec::name,
                  spec -> spec,
                  (one, other) -> {
                    throw new IllegalStateException(one.name() + " is declared twice");
                  },
                  LinkedHashMap::new));

  /** Names the features that each listed file system also has alone; rules about it read these. */
  public static final List<String> OF_FILESYSTEM =
      SPECS.values().stream().filter(FeatureSpec::byFilesystem).map(FeatureSpec::name).toList();

  private FeatureCatalog() {}

  /** Returns all features in the order in which they are documented. */
  public static Collection<FeatureSpec> all() {
    return Collections.unmodifiableCollection(SPECS.values());
  }

  /** Returns the feature with this name, or null. */
  public static FeatureSpec find(String name) {
    return SPECS.get(name);
  }
}
