package org.weir.job.load;

import org.apache.flink.api.common.functions.MapFunction;

/** Wraps a {@link LoadAsk} for the stream that it joins. */
public final class AskToInput implements MapFunction<LoadAsk, LoadInput> {

  private static final long serialVersionUID = 1L;

  @Override
  public LoadInput map(LoadAsk value) {
    return LoadInput.of(value);
  }
}
