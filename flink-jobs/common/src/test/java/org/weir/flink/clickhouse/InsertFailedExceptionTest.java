package org.weir.flink.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InsertFailedExceptionTest {

  @ParameterizedTest
  @ValueSource(ints = {60, 81, 159, 202, 241, 242, 252, 999})
  void passingTroubleIsWaitedFor(int code) {
    assertThat(InsertFailedException.isLasting(code, 500)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {16, 53, 62, 497, 516})
  void whatNoRepetitionMendsFailsTheJob(int code) {
    assertThat(InsertFailedException.isLasting(code, 500)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 200, 408, 429, 500, 502, 503, 504})
  void withoutACodeTheStatusDecides(int status) {
    assertThat(InsertFailedException.isLasting(0, status)).isFalse();
    assertThat(InsertFailedException.isLasting(0, 403)).isTrue();
  }
}
