/**
 * Decides who hears of which finding, and when: pure, without Flink or a clock of its own.
 *
 * <p>A {@link org.weir.alerts.Desk} works for one user of one cluster. It takes the newest result
 * of each job ({@link org.weir.alerts.JobFacts}) and of what users and staff want, keeps the user's
 * cases, and says what is to be sent and what is held back, and why. The job `alerting` and `weir
 * alerts preview` call the same desk.
 */
@NullMarked
package org.weir.alerts;

import org.jspecify.annotations.NullMarked;
