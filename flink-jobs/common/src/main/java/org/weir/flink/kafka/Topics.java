package org.weir.flink.kafka;

/** Names of the topics (schemas/topics.yaml) that the jobs read or write. */
public final class Topics {

  public static final String DARSHAN_LOG = "weir.darshan.log";
  public static final String JOB_MANIFEST = "weir.job.manifest";
  public static final String SCHEDULER_JOB = "weir.scheduler.job";
  public static final String DEVICE_SAMPLE = "weir.device.sample";
  public static final String JOB_LIVE = "weir.job.live";
  public static final String TARGET_LIVE = "weir.target.live";
  public static final String STORAGE_LOAD = "weir.storage.load";
  public static final String STORAGE_EVENT = "weir.storage.event";
  public static final String REFERENCE = "weir.reference";
  public static final String JOB_RESULT = "weir.job.result";
  public static final String ALERT = "weir.alert";
  public static final String DELIVERY = "weir.delivery";
  public static final String CONTROL = "weir.control";
  public static final String RULES = "weir.rules";
  public static final String SITE = "weir.site";
  public static final String DEAD_LETTER = "weir.dead-letter";

  private Topics() {}
}
