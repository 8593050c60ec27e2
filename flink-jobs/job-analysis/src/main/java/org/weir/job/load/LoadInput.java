package org.weir.job.load;

/** What comes to the load join: either a bucket of a file system or server, or a question. */
public final class LoadInput {

  /** Cluster, kind and subject: the key of the load messages. */
  public String key;

  /** Null for a question. */
  public LoadBucket bucket;

  /** Null for a bucket. */
  public LoadAsk ask;

  public LoadInput() {}

  public static LoadInput of(LoadAsk ask) {
    LoadInput input = of(ask.cluster, ask.place.kind, ask.place.subject);
    input.ask = ask;
    return input;
  }

  public static LoadInput of(String cluster, String kind, String subject) {
    LoadInput input = new LoadInput();
    input.key = cluster + "/" + kind + "/" + subject;
    return input;
  }
}
