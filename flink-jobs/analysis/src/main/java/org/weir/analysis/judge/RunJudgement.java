package org.weir.analysis.judge;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.weir.analysis.compare.Baseline;
import org.weir.analysis.compare.JudgedFeatures;
import org.weir.analysis.evidence.EvidenceClass;
import org.weir.analysis.evidence.Feature;
import org.weir.analysis.load.LoadSummary;
import org.weir.analysis.log.LogState;
import org.weir.analysis.ruleengine.RuleOutcome;
import org.weir.analysis.ruleengine.RuleSet;
import org.weir.analysis.run.RunDetail;
import org.weir.analysis.run.RunFeatures;
import org.weir.analysis.slowness.Cost;
import org.weir.analysis.slowness.References;
import org.weir.site.Site;

/**
 * Everything said of a run beyond its features: a pure function of what is known, so that a later,
 * fuller call replaces an earlier one. Whether a run is slow is decided in {@code
 * org.weir.analysis.slowness.Slowness}.
 *
 * @param baseline earlier runs of the same application
 * @param findings rules that hold, in the order of the rules
 * @param unknowable ids of rules that the log cannot decide
 */
public record RunJudgement(
    Cost cost,
    LoadSummary load,
    Baseline baseline,
    Verdict verdict,
    List<Finding> findings,
    List<String> unknowable) {

  /**
   * Raised whenever equal input gives another result than before: it stands in front of all else in
   * the versions of rows, so that a row of this program replaces one of an older program.
   */
  public static final int REVISION = 8;

  /**
   * Judges a run.
   *
   * @param nodes allocated to the joined job; null if it is not joined or not known
   * @param partition of the joined job; null likewise
   */
  public static RunJudgement of(
      RunFeatures run,
      @Nullable Integer nodes,
      @Nullable String partition,
      LoadSummary load,
      Baseline baseline,
      References references,
      Site site,
      RuleSet rules) {
    Cost cost = Cost.of(run, nodes, partition, site, references);
    List<RuleOutcome> outcomes =
        rules.evaluate(
            JudgedFeatures.of(judged(run), cost, load, baseline),
            site.ruleThresholds(),
            isUnfinished(run) ? RunDetail.NONE : run.detail());
    return new RunJudgement(
        cost,
        load,
        baseline,
        Verdict.of(run, cost, load, baseline, outcomes, site),
        outcomes.stream()
            .filter(RuleOutcome::holds)
            .map(outcome -> Finding.of(outcome, cost, run.runTimeSeconds()))
            .toList(),
        outcomes.stream()
            .filter(outcome -> outcome.state() == RuleOutcome.State.UNKNOWABLE)
            .map(outcome -> outcome.rule().id())
            .toList());
  }

  /**
   * Makes all unknown of a run that did not come to its end where other processes are not in its
   * log, or may not be.
   */
  private static Map<String, Feature> judged(RunFeatures run) {
    Map<String, Feature> features = new TreeMap<>(run.features());
    if (isUnfinished(run)) {
      features.replaceAll(
          (name, feature) -> new Feature(name, null, EvidenceClass.UNKNOWABLE, true));
    }
    return features;
  }

  private static boolean isUnfinished(RunFeatures run) {
    return Double.isNaN(run.runTimeSeconds()) && run.logState() != LogState.KILLED;
  }
}
