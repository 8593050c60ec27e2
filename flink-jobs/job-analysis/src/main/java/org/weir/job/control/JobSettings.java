package org.weir.job.control;

import java.io.Serializable;
import java.time.Duration;
import org.weir.flink.config.ConfigReader;

/**
 * What can be tuned. All waits are processing time.
 *
 * @param logWait a log whose parts stop coming for this long is analyzed as incomplete
 * @param siteWait what comes of a cluster before its first site file waits for it this long
 * @param logRetention an incomplete log is kept this long for the rest of its parts
 * @param completeLogRetention that a log was analyzed is remembered this long
 * @param loadWait added to the time in which load closes (a bucket, one and a half sample
 *     intervals): then a run is answered with what there is
 * @param loadRetention how long load of file systems is kept
 * @param deviceLoadRetention how long load of servers with their devices is kept
 * @param loadLateWait a run that was answered in part is answered again for this long
 * @param joinWait a run without a job stays waiting for this long
 * @param baselineRetention how long a run is kept to compare later ones with
 * @param resultDelay a job's results are gathered this long before they are written
 * @param jobRetention how long nothing may happen around a job before it is forgotten
 */
public record JobSettings(
    Duration logWait,
    Duration siteWait,
    Duration logRetention,
    Duration completeLogRetention,
    Duration loadWait,
    Duration loadRetention,
    Duration deviceLoadRetention,
    Duration loadLateWait,
    Duration joinWait,
    Duration baselineRetention,
    Duration resultDelay,
    Duration jobRetention)
    implements Serializable {

  /** Names the job. */
  public static final String JOB = "job-analysis";

  /** How often a wait for a site looks whether it is there. */
  public static final long SITE_LOOK_MILLIS = 1_000;

  public static JobSettings defaults() {
    return new JobSettings(
        Duration.ofSeconds(60),
        Duration.ofSeconds(30),
        Duration.ofDays(1),
        Duration.ofHours(1),
        Duration.ofSeconds(30),
        Duration.ofDays(3),
        Duration.ofDays(1),
        Duration.ofHours(1),
        Duration.ofMinutes(10),
        Duration.ofDays(180),
        Duration.ofMillis(500),
        Duration.ofDays(9));
  }

  /** Reads the keys {@code job.*}; the retention is the longest wall time and seven days. */
  public static JobSettings read(ConfigReader config) {
    JobSettings defaults = defaults();
    Duration wallTime = config.seconds("job.longest.wall.time.seconds", Duration.ofDays(2));
    return new JobSettings(
        config.seconds("job.log.wait.seconds", defaults.logWait()),
        config.seconds("job.site.wait.seconds", defaults.siteWait()),
        config.seconds("job.log.retention.seconds", defaults.logRetention()),
        config.seconds("job.complete.log.retention.seconds", defaults.completeLogRetention()),
        config.seconds("job.load.wait.seconds", defaults.loadWait()),
        config.seconds("job.load.retention.seconds", defaults.loadRetention()),
        config.seconds("job.load.device.retention.seconds", defaults.deviceLoadRetention()),
        config.seconds("job.load.late.wait.seconds", defaults.loadLateWait()),
        config.seconds("job.join.wait.seconds", defaults.joinWait()),
        config.seconds("job.baseline.retention.seconds", defaults.baselineRetention()),
        config.seconds("job.result.delay.seconds", defaults.resultDelay()),
        wallTime.plus(Duration.ofDays(7)));
  }
}
