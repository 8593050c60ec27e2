package org.weir.storage.control;

import java.io.Serializable;
import java.time.Duration;
import org.weir.flink.config.ConfigReader;

/**
 * What can be tuned.
 *
 * @param sampleRetention how far behind a server's newest sample a late one is still taken in
 * @param silenceWait a server that sends nothing for this long, or for two of its intervals, has
 *     its open bucket emitted as it is
 * @param serverWait a bucket of a file system is emitted without the servers that have not reported
 *     this long, or two of their intervals, after the first one did
 * @param hourDelay how old the row of an hour that changes may be
 * @param eventRetention a server or device that the site does not list is missed no longer than
 *     this
 */
public record StorageSettings(
    Duration sampleRetention,
    Duration silenceWait,
    Duration serverWait,
    Duration hourDelay,
    Duration eventRetention)
    implements Serializable {

  /** Names the job. */
  public static final String JOB = "storage-analysis";

  public static StorageSettings defaults() {
    return new StorageSettings(
        Duration.ofHours(1),
        Duration.ofSeconds(5),
        Duration.ofSeconds(10),
        Duration.ofSeconds(60),
        Duration.ofDays(1));
  }

  /** Reads the keys {@code storage.*}. */
  public static StorageSettings read(ConfigReader config) {
    StorageSettings defaults = defaults();
    return new StorageSettings(
        config.seconds("storage.sample.retention.seconds", defaults.sampleRetention()),
        config.seconds("storage.silence.wait.seconds", defaults.silenceWait()),
        config.seconds("storage.server.wait.seconds", defaults.serverWait()),
        config.seconds("storage.hour.delay.seconds", defaults.hourDelay()),
        config.seconds("storage.event.retention.seconds", defaults.eventRetention()));
  }
}
