package org.weir.alerting;

import java.io.Serializable;
import java.time.Duration;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.weir.flink.config.ConfigReader;

/**
 * Holds what can be tuned. Both are processing time since the last change.
 *
 * @param jobRetention of a job's result, which can be corrected: longer than job-analysis keeps
 *     jobs
 * @param caseRetention of a case: after it the next finding is a new one
 */
record AlertingSettings(Duration jobRetention, Duration caseRetention) implements Serializable {

  static AlertingSettings defaults() {
    return new AlertingSettings(Duration.ofDays(10), Duration.ofDays(180));
  }

  /** Reads the keys {@code alerts.*}. */
  static AlertingSettings read(ConfigReader config) {
    AlertingSettings defaults = defaults();
    return new AlertingSettings(
        config.seconds("alerts.job.retention.seconds", defaults.jobRetention),
        config.seconds("alerts.case.retention.seconds", defaults.caseRetention));
  }

  StateTtlConfig jobTtl() {
    return ttl(jobRetention);
  }

  StateTtlConfig caseTtl() {
    return ttl(caseRetention);
  }

  private static StateTtlConfig ttl(Duration time) {
    return StateTtlConfig.newBuilder(time)
        .cleanupIncrementally(10, false)
        .cleanupInRocksdbCompactFilter(1000)
        .build();
  }
}
