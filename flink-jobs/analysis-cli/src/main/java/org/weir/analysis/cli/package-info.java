/** Runs the analysis as a program of its own, which the command {@code weir} starts. */
@NullMarked
package org.weir.analysis.cli;

import org.jspecify.annotations.NullMarked;
