package org.weir.flink.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
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

  @Test
  void aColumnThatALaterMigrationAddsIsThere() {
    Map<String, Table> tables =
        Table.parse(
            "CREATE TABLE t\n(\n    a String COMMENT 'one, two',\n    b UInt8\n)\nENGINE = Null;\n"
                + "ALTER TABLE t ADD COLUMN c Nullable(Int64) COMMENT 'later';\n"
                + "ALTER TABLE t\n    MODIFY COLUMN b Nullable(UInt8) COMMENT 'or null';\n");
    assertThat(tables.get("t").columns()).containsExactly("a", "b", "c");
    assertThat(tables.get("t").type("c").name()).isEqualTo("Nullable(Int64)");
    assertThat(tables.get("t").type("b").name()).isEqualTo("Nullable(UInt8)");
  }
}
