package org.weir.job;

import org.apache.flink.api.common.functions.MapFunction;

/** Wraps a {@link LoadAnswer} for the stream that it joins. */
final class AnswerToInput implements MapFunction<LoadAnswer, JobInput> {

  private static final long serialVersionUID = 1L;

  @Override
  public JobInput map(LoadAnswer value) {
    return JobInput.ofLoad(value);
  }
}
