/**
 * Adds the records of a log up: by module, by mount, by file, by rank.
 *
 * <p>Entry: {@link org.weir.analysis.accumulate.RunAccumulator}.
 */
package org.weir.analysis.accumulate;
