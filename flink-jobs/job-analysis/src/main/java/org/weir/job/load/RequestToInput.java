package org.weir.job.load;

import org.apache.flink.api.common.functions.MapFunction;

/** Wraps a {@link LoadRequest} for the stream that it joins. */
public final class RequestToInput implements MapFunction<LoadRequest, LoadInput> {

  private static final long serialVersionUID = 1L;

  @Override
  public LoadInput map(LoadRequest value) {
    return LoadInput.of(value);
  }
}
