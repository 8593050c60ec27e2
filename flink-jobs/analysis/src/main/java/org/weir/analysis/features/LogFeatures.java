package org.weir.analysis.features;

import java.util.List;
import java.util.stream.Stream;
import org.weir.analysis.evidence.FeatureSpec;

/** Lists the features that are computed of a log alone. Each is declared by the class that does. */
public final class LogFeatures {

  private static final List<FeatureSpec> SPECS =
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
              FeatureComputer.FEATURES)
          .flatMap(group -> group.specs().stream())
          .toList();

  /** Names the features that each listed file system also has alone; rules about it read these. */
  public static final List<String> OF_FILESYSTEM =
      SPECS.stream().filter(FeatureSpec::byFilesystem).map(FeatureSpec::name).toList();

  private LogFeatures() {}

  /** Returns them in the order in which they are documented. */
  public static List<FeatureSpec> all() {
    return SPECS;
  }
}
