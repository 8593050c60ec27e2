/**
 * Computes the features of a run from what was added up.
 *
 * <p>Entry: {@link org.weir.analysis.features.FeatureComputer}. Each feature is declared in the
 * class that computes it, and {@link org.weir.analysis.features.LogFeatures} lists them.
 */
@NullMarked
package org.weir.analysis.features;

import org.jspecify.annotations.NullMarked;
