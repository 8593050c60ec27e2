package org.weir.job.load;

import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;
import org.weir.job.control.JobSettings;

/**
 * Puts the answers to a run's requests for load together. Keyed by log id. Each request is answered
 * within the wait for load; when the last one is, and each time that one gets better, the run's
 * answer leaves.
 */
public final class LoadMerge extends KeyedProcessFunction<String, LoadPart, LoadAnswer> {

  private static final long serialVersionUID = 1L;

  private final JobSettings settings;
  private transient ValueState<LoadParts> answered;

  public LoadMerge(JobSettings settings) {
    this.settings = settings;
  }

  @Override
  public void open(OpenContext context) {
    ValueStateDescriptor<LoadParts> descriptor =
        new ValueStateDescriptor<>("answered", LoadParts.class);
    // Longer than a request is kept: its wait for load is far shorter than that for late load.
    descriptor.enableTimeToLive(LoadJoin.ttl(settings.loadLateWait().multipliedBy(2)));
    answered = getRuntimeContext().getState(descriptor);
  }

  @Override
  public void processElement(LoadPart part, Context context, Collector<LoadAnswer> out)
      throws Exception {
    LoadParts parts = answered.value() == null ? new LoadParts() : answered.value();
    if (parts.take(part)) {
      answered.update(parts);
      if (parts.isComplete()) {
        out.collect(new LoadAnswer(part, parts.facts()));
      }
    }
  }
}
