package org.weir.alerting;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.weir.alerts.PastOfUser;
import org.weir.flink.testing.StateClasses;

/**
 * No class of the state changes its name unless {@code state.format} of flink-jobs/pom.xml rises.
 */
class StateClassesTest {
  private static final Past NO_PAST =
      (cluster, user, now) -> new PastOfUser(List.of(), List.of(), List.of());

  @Test
  void areCalledAsInTheSavepointsOfBefore() throws Exception {
    assertThat(
            List.of(
                StateClasses.of(
                    new UserDesk(List::of, NO_PAST, AlertingSettings.defaults()),
                    List.of(Policies.DESCRIPTOR))))
        .containsExactly(
            "UserDesk: alerts.CaseFacts alerts.Found alerts.JobFacts alerts.Outcome$Reason "
                + "alerts.ProgramFacts alerts.RunOfProgram alerts.UnitFacts alerts.UserFacts "
                + "alerts.policy.Policy$Mode analysis.judge.Severity");
  }
}
