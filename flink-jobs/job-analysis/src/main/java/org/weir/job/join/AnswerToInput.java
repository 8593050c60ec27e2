package org.weir.job.join;

import org.apache.flink.api.common.functions.MapFunction;
import org.weir.job.load.LoadAnswer;

/** Wraps a {@link LoadAnswer} for the stream that it joins. */
public final class AnswerToInput implements MapFunction<LoadAnswer, JobInput> {

  private static final long serialVersionUID = 1L;

  @Override
  public JobInput map(LoadAnswer value) {
    return JobInput.ofLoad(value);
  }
}
