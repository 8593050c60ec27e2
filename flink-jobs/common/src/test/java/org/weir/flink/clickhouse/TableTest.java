package org.weir.flink.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TableTest {

  @Test
  void everyTableOfTheMigrationsHasTypesThatTheWriterKnows() {
    assertThat(Table.names()).hasSizeGreaterThanOrEqualTo(20).contains("runs_versions", "landings");
    assertThat(Table.named("runs_versions").type("job_state").name()).isEqualTo("Nullable(String)");
    assertThat(Table.named("runs_versions").type("modules").name()).isEqualTo("Array(String)");
    assertThat(Table.named("runs_versions").type("start_time").name())
        .isEqualTo("DateTime64(6, 'UTC')");
  }
}
