package org.weir.analysis;

import static org.weir.analysis.EvidenceClass.BOUNDED;
import static org.weir.analysis.EvidenceClass.EXACT;
import static org.weir.analysis.EvidenceClass.LOWER_BOUND;
import static org.weir.analysis.EvidenceClass.UNKNOWABLE;

import java.util.Map;
import java.util.TreeMap;

/** A run's features with those that its log does not tell: nodes, cost, load, earlier runs. */
public final class JudgedFeatures {
  private static final DeviceLoad NOBODY = new DeviceLoad("", 0, 0, 0);

  private final Map<String, Feature> features;

  private JudgedFeatures(Map<String, Feature> ofLog) {
    this.features = new TreeMap<>(ofLog);
  }

  /** All of {@link FeatureCatalog}, by name. */
  public static Map<String, Feature> of(
      Map<String, Feature> ofLog, Cost cost, LoadSummary load, Baseline baseline) {
    JudgedFeatures judged = new JudgedFeatures(ofLog);
    judged.cost(cost);
    judged.load(load);
    judged.baseline(baseline);
    return judged.features;
  }

  private void cost(Cost cost) {
    Feature speed = features.get("mib_per_second");
    Integer nodes = cost.runNodes();
    boolean known = speed.value() != null && nodes != null;
    put("nodes", cost.nodes() == null ? null : cost.nodes().doubleValue(), EXACT);
    put("nodes_known", cost.nodes() == null ? 0.0 : 1.0, EXACT);
    put("run_nodes", nodes == null ? null : nodes.doubleValue(), EXACT);
    put(
        "mib_per_second_per_run_node",
        known ? Double.valueOf(speed.value() / nodes) : null,
        speed.evidence());
    put("reference_mib_per_second_per_node", cost.referenceMibPerSecondPerNode(), BOUNDED);
    put("time_lost_seconds", cost.timeLostSeconds(), BOUNDED);
    put("slow", cost.slow() == null ? null : Double.valueOf(cost.slow() ? 1 : 0), BOUNDED);
  }

  /** Of closed buckets only: the others may change everything. */
  private void load(LoadSummary load) {
    boolean closed = load.state() == LoadState.CLOSED;
    put("load_util_mean", closed ? load.utilMean() : null, BOUNDED);
    put("load_device_bytes", closed ? load.deviceBytes() : null, BOUNDED);
    put("load_own_bytes", closed ? Double.valueOf(load.ownBytes()) : null, BOUNDED);
    put("load_others_bytes", closed ? load.othersBytes() : null, LOWER_BOUND);
    DeviceLoad busiest = load.busiest() == null ? NOBODY : load.busiest();
    put("load_busiest_util", closed ? Double.valueOf(busiest.util()) : null, BOUNDED);
    put("load_busiest_bytes", closed ? Double.valueOf(busiest.bytes()) : null, BOUNDED);
    put(
        "load_busiest_others_bytes",
        closed ? Double.valueOf(busiest.othersBytes()) : null,
        LOWER_BOUND);
  }

  /**
   * A rate that the log cannot tell compares with nothing: that is not the same as no such runs.
   */
  private void baseline(Baseline baseline) {
    Feature speed = features.get("mib_per_second");
    boolean untold = speed.incomplete() || speed.evidence() == UNKNOWABLE;
    put("baseline_runs", untold ? null : Double.valueOf(baseline.runs()), EXACT);
    put("baseline_p10_mib_per_second", baseline.p10(), EXACT);
    put("baseline_median_mib_per_second", baseline.median(), EXACT);
  }

  private void put(String name, Double value, EvidenceClass evidence) {
    features.put(name, new Feature(name, value, value == null ? UNKNOWABLE : evidence, false));
  }
}
