package org.weir.job;

import org.apache.flink.api.common.functions.MapFunction;

/** Wraps a {@link LoadAsk} for the stream that it joins. */
final class AskToInput implements MapFunction<LoadAsk, LoadInput> {

  private static final long serialVersionUID = 1L;

  @Override
  public LoadInput map(LoadAsk value) {
    return LoadInput.of(value);
  }
}
