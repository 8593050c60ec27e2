package org.weir.job;

/** What comes to the load join: either a bucket of a file system or a run's question. */
public final class LoadInput {

  public String cluster;
  public String filesystem;

  /** Null for a question. */
  public LoadBucket bucket;

  /** Null for a bucket. */
  public LoadAsk ask;

  public LoadInput() {}

  static LoadInput of(LoadAsk ask) {
    LoadInput input = new LoadInput();
    input.cluster = ask.cluster;
    input.filesystem = ask.filesystem;
    input.ask = ask;
    return input;
  }
}
