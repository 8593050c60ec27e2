package org.weir.job;

import org.apache.flink.api.common.functions.MapFunction;

/** Wraps a {@link BaselineAnswer} for the stream that it joins. */
final class BaselineToInput implements MapFunction<BaselineAnswer, JobInput> {

  private static final long serialVersionUID = 1L;

  @Override
  public JobInput map(BaselineAnswer value) {
    return JobInput.ofBaseline(value);
  }
}
