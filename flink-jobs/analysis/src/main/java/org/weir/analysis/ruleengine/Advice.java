package org.weir.analysis.ruleengine;

import java.util.List;
import java.util.Map;

/**
 * What to change, as facts; the words are put to it elsewhere.
 *
 * @param id key of the text
 * @param parameters numbers for it; an unknown one is left out
 * @param files record ids of the files it is about, those with most bytes first
 */
public record Advice(String id, Map<String, Double> parameters, List<String> files) {}
