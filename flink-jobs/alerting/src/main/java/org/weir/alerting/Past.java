package org.weir.alerting;

import java.io.Serializable;
import java.time.Instant;
import org.weir.alerts.PastOfUser;

/** Knows of users what the job knew before it lost its state. */
@FunctionalInterface
interface Past extends Serializable {

  /** Returns what was decided for a user before; nothing of a new one. */
  PastOfUser of(String cluster, String user, Instant now) throws InterruptedException;
}
