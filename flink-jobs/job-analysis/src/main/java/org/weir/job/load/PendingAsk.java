package org.weir.job.load;

/** A question: not answered yet, or kept for load that comes later. */
public final class PendingAsk {

  public LoadAsk ask;

  /** Processing time at which it is answered with what there is. */
  public long answerAt;

  /** Processing time at which it is forgotten. */
  public long forgetAt;

  public boolean answered;

  /** Server ticks behind the last answer. */
  public long ticksAnswered;

  public PendingAsk() {}
}
