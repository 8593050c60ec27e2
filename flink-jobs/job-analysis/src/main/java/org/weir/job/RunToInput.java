package org.weir.job;

import org.apache.flink.api.common.functions.MapFunction;

/** Wraps a {@link RunSummary} for the stream that it joins. */
final class RunToInput implements MapFunction<RunSummary, JobInput> {

  private static final long serialVersionUID = 1L;

  @Override
  public JobInput map(RunSummary value) {
    return JobInput.ofRun(value);
  }
}
