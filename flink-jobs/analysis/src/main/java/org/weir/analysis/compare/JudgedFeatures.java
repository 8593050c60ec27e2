package org.weir.analysis.compare;

import static java.util.Objects.requireNonNull;
import static org.weir.analysis.evidence.EvidenceClass.BOUNDED;
import static org.weir.analysis.evidence.EvidenceClass.EXACT;
import static org.weir.analysis.evidence.EvidenceClass.LOWER_BOUND;
import static org.weir.analysis.evidence.EvidenceClass.UNKNOWABLE;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.weir.analysis.evidence.EvidenceClass;
import org.weir.analysis.evidence.Feature;
import org.weir.analysis.evidence.FeatureGroup;
import org.weir.analysis.evidence.FeatureSpec;
import org.weir.analysis.features.LayerFeatures;
import org.weir.analysis.load.DeviceLoad;
import org.weir.analysis.load.LoadState;
import org.weir.analysis.load.LoadSummary;
import org.weir.analysis.slowness.Cost;

/** Computes a run's features that its log alone does not give: nodes, cost, load, earlier runs. */
public final class JudgedFeatures {

  static final FeatureGroup FEATURES = FeatureGroup.ofJudgement();

  private static final FeatureSpec NODES =
      FEATURES
          .column("Nullable(Int32)")
          .total("nodes", "compute nodes allocated to the job, from the scheduler");
  private static final FeatureSpec NODES_KNOWN =
      FEATURES.column(null).total("nodes_known", "1 where the scheduler told them, else 0");
  private static final FeatureSpec RUN_NODES =
      FEATURES
          .column("Nullable(Int32)")
          .total("run_nodes", "min(nodes, ceil(nprocs / cores per node))");
  private static final FeatureSpec MIB_PER_SECOND_PER_RUN_NODE =
      FEATURES.column(null).total("mib_per_second_per_run_node", "mib_per_second / run_nodes");
  private static final FeatureSpec REFERENCE =
      FEATURES.total(
          "reference_mib_per_second_per_node",
          "rate per run node of comparable runs, else the site's stated peak");
  private static final FeatureSpec TIME_LOST_SECONDS =
      FEATURES.total("time_lost_seconds", "I/O time beyond what the reference rate needs");
  private static final FeatureSpec SLOW =
      FEATURES
          .column("Nullable(UInt8)")
          .total("slow", "1 where the time lost reaches the site's thresholds, else 0");
  private static final String DEVICES =
      " of the devices that hold the run's files, or else of its file system, in its busy seconds";
  private static final FeatureSpec LOAD_UTIL_MEAN =
      FEATURES.total("load_util_mean", "mean utilization, 0 to 1," + DEVICES);
  private static final FeatureSpec LOAD_DEVICE_BYTES =
      FEATURES.total("load_device_bytes", "bytes of all jobs" + DEVICES);
  private static final FeatureSpec LOAD_OWN_BYTES =
      FEATURES.total("load_own_bytes", "bytes that the run itself moved" + DEVICES);
  private static final FeatureSpec LOAD_OTHERS_BYTES =
      FEATURES
          .column(null)
          .total(
              "load_others_bytes",
              "load_device_bytes that can't be the run's own: a lower bound; column others_bytes");
  private static final String BUSIEST =
      " the device (or other file system) of the run that others kept busiest";
  private static final FeatureSpec LOAD_BUSIEST_UTIL =
      FEATURES.total(
          "load_busiest_util", "utilization, 0 to 1, of" + BUSIEST + "; 0 if none is known");
  private static final FeatureSpec LOAD_BUSIEST_BYTES =
      FEATURES.total("load_busiest_bytes", "bytes of all jobs on" + BUSIEST);
  private static final FeatureSpec LOAD_BUSIEST_OTHERS_BYTES =
      FEATURES.total(
          "load_busiest_others_bytes",
          "load_busiest_bytes that can't be the run's own: a lower bound");
  private static final FeatureSpec BASELINE_RUNS =
      FEATURES
          .column("UInt16")
          .total(
              "baseline_runs",
              "earlier runs of the same user, executable, file system and direction, with as many"
                  + " processes and bytes (within twice), of the last that are kept");
  private static final FeatureSpec BASELINE_P10 =
      FEATURES.total(
          "baseline_p10_mib_per_second", "10th percentile of mib_per_second of baseline_runs");
  private static final FeatureSpec BASELINE_MEDIAN =
      FEATURES.total("baseline_median_mib_per_second", "median of mib_per_second of baseline_runs");

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
    Double speed = speed().value();
    Integer nodes = cost.runNodes();
    put(NODES, cost.nodes() == null ? null : cost.nodes().doubleValue(), EXACT);
    put(NODES_KNOWN, cost.nodes() == null ? 0.0 : 1.0, EXACT);
    put(RUN_NODES, nodes == null ? null : nodes.doubleValue(), EXACT);
    put(
        MIB_PER_SECOND_PER_RUN_NODE,
        speed == null || nodes == null ? null : Double.valueOf(speed / nodes),
        speed().evidence());
    put(REFERENCE, cost.referenceMibPerSecondPerNode(), BOUNDED);
    put(TIME_LOST_SECONDS, cost.timeLostSeconds(), BOUNDED);
    put(SLOW, cost.slow() == null ? null : Double.valueOf(cost.slow() ? 1 : 0), BOUNDED);
  }

  /** Adds the load of closed buckets only: the others may change everything. */
  private void load(LoadSummary load) {
    boolean closed = load.state() == LoadState.CLOSED;
    put(LOAD_UTIL_MEAN, closed ? load.utilMean() : null, BOUNDED);
    put(LOAD_DEVICE_BYTES, closed ? load.deviceBytes() : null, BOUNDED);
    put(LOAD_OWN_BYTES, closed ? Double.valueOf(load.ownBytes()) : null, BOUNDED);
    put(LOAD_OTHERS_BYTES, closed ? load.othersBytes() : null, LOWER_BOUND);
    DeviceLoad busiest = load.busiest() == null ? NOBODY : load.busiest();
    put(LOAD_BUSIEST_UTIL, closed ? Double.valueOf(busiest.util()) : null, BOUNDED);
    put(LOAD_BUSIEST_BYTES, closed ? Double.valueOf(busiest.bytes()) : null, BOUNDED);
    put(
        LOAD_BUSIEST_OTHERS_BYTES,
        closed ? Double.valueOf(busiest.othersBytes()) : null,
        LOWER_BOUND);
  }

  /** An unknown rate compares with nothing: that is not the same as no such runs. */
  private void baseline(Baseline baseline) {
    Feature speed = speed();
    boolean untold = speed.incomplete() || speed.evidence() == UNKNOWABLE;
    put(BASELINE_RUNS, untold ? null : Double.valueOf(baseline.runs()), EXACT);
    put(BASELINE_P10, baseline.p10(), EXACT);
    put(BASELINE_MEDIAN, baseline.median(), EXACT);
  }

  private Feature speed() {
    String name = LayerFeatures.MIB_PER_SECOND.name();
    return requireNonNull(features.get(name), name);
  }

  private void put(FeatureSpec spec, @Nullable Double value, EvidenceClass evidence) {
    EvidenceClass known = value == null ? UNKNOWABLE : evidence;
    features.put(spec.name(), new Feature(spec.name(), value, known, false));
  }
}
