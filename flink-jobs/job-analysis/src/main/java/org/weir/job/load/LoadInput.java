package org.weir.job.load;

import org.jspecify.annotations.Nullable;
import org.weir.analysis.load.LoadBucket;

/** What comes to the load join: either a bucket of a file system or server, or a request. */
public final class LoadInput {

  /** Cluster, kind and subject: the key of the load messages. */
  public String key;

  /** Null for a request. */
  public @Nullable LoadBucket bucket;

  /** Null for a bucket. */
  public @Nullable LoadRequest request;

  /** Leaves the fields to be set next, as Flink does when it reads one. */
  @SuppressWarnings("NullAway.Init")
  public LoadInput() {}

  public static LoadInput of(LoadRequest request) {
    LoadInput input = of(request.cluster, request.place.kind, request.place.subject);
    input.request = request;
    return input;
  }

  public static LoadInput of(String cluster, String kind, String subject) {
    LoadInput input = new LoadInput();
    input.key = cluster + "/" + kind + "/" + subject;
    return input;
  }
}
