package org.weir.job.load;

/** A request: not answered yet, or kept for load that comes later. */
public final class PendingRequest {

  public LoadRequest request;

  /** Processing time at which it is answered with what there is. */
  public long answerAt;

  /** Processing time at which it is forgotten. */
  public long forgetAt;

  public boolean answered;

  /** Server samples behind the last answer. */
  public long samplesAnswered;

  /** Leaves the fields to be set next, as Flink does when it reads one. */
  @SuppressWarnings("NullAway.Init")
  public PendingRequest() {}
}
