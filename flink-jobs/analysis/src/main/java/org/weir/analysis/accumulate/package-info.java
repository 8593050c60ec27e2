/**
 * Adds the records of a log up: by module, by mount, by file, by rank.
 *
 * <p>Entry: {@link org.weir.analysis.accumulate.RunAccumulator}.
 */
@NullMarked
package org.weir.analysis.accumulate;

import org.jspecify.annotations.NullMarked;
