package org.weir.job.baseline;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;
import org.weir.analysis.compare.Baseline;
import org.weir.analysis.compare.EarlierRun;
import org.weir.job.control.JobSettings;
import org.weir.job.run.RunSummary;

/**
 * Tells each run how fast the same application was before. Keyed by application.
 *
 * <p>Of an application the 32 runs that ended last are kept. A run goes on at once with the
 * baseline that is known; one that comes late adds to the baselines of those that ended after it,
 * and these are answered again. So the order of arrival makes no difference while the 32 last.
 */
public final class BaselineJoin extends KeyedProcessFunction<String, RunSummary, RunSummary> {

  public static final OutputTag<BaselineAnswer> ANSWERS = new OutputTag<>("baseline-answers") {};

  private static final long serialVersionUID = 1L;
  private static final int MOST_RUNS = 32;

  private final JobSettings settings;

  /** By log id. */
  private transient MapState<String, KnownRun> known;

  public BaselineJoin(JobSettings settings) {
    this.settings = settings;
  }

  @Override
  public void open(OpenContext context) {
    // Not "runs": up to code revision 5 their rates had another meaning, and nothing compares with
    // these.
    MapStateDescriptor<String, KnownRun> state =
        new MapStateDescriptor<>(
            "application-layer-runs", Types.STRING, TypeInformation.of(KnownRun.class));
    state.enableTimeToLive(
        StateTtlConfig.newBuilder(settings.baselineRetention())
            .cleanupIncrementally(10, false)
            .cleanupInRocksdbCompactFilter(1000)
            .build());
    known = getRuntimeContext().getMapState(state);
  }

  @Override
  public void processElement(RunSummary run, Context context, Collector<RunSummary> out)
      throws Exception {
    if (run.comparable != null) {
      KnownRun arrived = new KnownRun(run.comparable, run.jobId);
      known.put(run.logId, arrived);
      List<KnownRun> all = all();
      run.baseline = baseline(arrived, all);
      for (KnownRun other : all) {
        Baseline baseline = baseline(other, all);
        if (baseline.runs() > other.answered) {
          other.answered = baseline.runs();
          known.put(other.run.logId(), other);
          if (!other.run.logId().equals(run.logId)) {
            context.output(ANSWERS, new BaselineAnswer(run.cluster, other, baseline));
          }
        }
      }
      for (KnownRun oldest : all.subList(0, Math.max(0, all.size() - MOST_RUNS))) {
        known.remove(oldest.run.logId());
      }
    }
    out.collect(run);
  }

  /** In the order of their ends. */
  private List<KnownRun> all() throws Exception {
    List<KnownRun> all = new ArrayList<>();
    known.values().forEach(all::add);
    all.sort(
        Comparator.comparingLong((KnownRun each) -> each.run.endTime())
            .thenComparing(each -> each.run.logId()));
    return all;
  }

  private static Baseline baseline(KnownRun of, List<KnownRun> all) {
    List<EarlierRun> runs = all.stream().map(each -> each.run).toList();
    return Baseline.of(of.run, runs);
  }
}
