package org.weir.job.join;

import org.apache.flink.api.common.functions.MapFunction;
import org.weir.job.run.RunSummary;

/** Wraps a {@link RunSummary} for the stream that it joins. */
public final class RunToInput implements MapFunction<RunSummary, JobInput> {

  private static final long serialVersionUID = 1L;

  @Override
  public JobInput map(RunSummary value) {
    return JobInput.ofRun(value);
  }
}
