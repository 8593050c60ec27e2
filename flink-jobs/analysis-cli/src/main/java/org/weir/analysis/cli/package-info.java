/** Runs the analysis as a program of its own, which the command {@code weir} starts. */
package org.weir.analysis.cli;
