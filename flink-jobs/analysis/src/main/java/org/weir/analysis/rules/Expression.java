package org.weir.analysis.rules;

import dev.cel.runtime.Program;
import java.util.List;

/**
 * An expression of a rule, ready to run.
 *
 * @param names of the features, rules, thresholds and numbers of files that it reads
 */
record Expression(Program program, List<String> names) {}
