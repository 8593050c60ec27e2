package org.weir.alerting;

import java.io.Serializable;
import java.time.Instant;
import org.weir.alerts.DeskMemory;
import org.weir.alerts.Policy;

/** Knows of users what the job knew before it lost its state. */
@FunctionalInterface
interface Past extends Serializable {

  /**
   * Puts into an empty memory what was decided for a user before; nothing for a new user.
   *
   * @param policy says on which day a message counted, and when the next digest leaves
   */
  void restore(String cluster, String user, DeskMemory memory, Policy policy, Instant now)
      throws InterruptedException;
}
