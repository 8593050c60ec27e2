package org.weir.job.join;

import org.apache.flink.api.common.functions.MapFunction;
import org.weir.job.baseline.BaselineAnswer;

/** Wraps a {@link BaselineAnswer} for the stream that it joins. */
public final class BaselineToInput implements MapFunction<BaselineAnswer, JobInput> {

  private static final long serialVersionUID = 1L;

  @Override
  public JobInput map(BaselineAnswer value) {
    return JobInput.ofBaseline(value);
  }
}
