package org.weir.flink.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.weir.flink.testing.ReadRows;
import org.weir.wire.PackedColumns;

class NativeBlockTest {

  @Test
  void bytesAreThoseOfTheFormat() {
    Rows rows =
        new NativeBlock(Table.named("landings"), 2, 0)
            .column("table", List.of("a", "bc"))
            .constant("rows", 258)
            .build("c", 7);
    String expected =
        "0202"
            + ("05" + hex("table") + "06" + hex("String"))
            + ("0161" + "026263")
            + ("04" + hex("rows") + "06" + hex("UInt64"))
            + ("0201000000000000" + "0201000000000000");
    assertThat(HexFormat.of().formatHex(rows.block)).isEqualTo(expected);
    assertThat(rows.columns).containsExactly("table", "rows");
    assertThat(rows.oldestSentAt).isEqualTo(7);
  }

  private static String hex(String text) {
    return HexFormat.of().formatHex(text.getBytes(StandardCharsets.US_ASCII));
  }

  @Test
  void nullsListsAndMapsCanBeReadBack() {
    Rows rows =
        new NativeBlock(Table.named("runs_versions"), 2, 0)
            .column("user", Arrays.asList(null, "ann"))
            .column("modules", List.of(List.of("POSIX", "STDIO"), List.of()))
            .column("evidence_classes", List.of(Map.of(), Map.of("b", "2", "a", "1")))
            .column("slow", Arrays.asList(true, null))
            .build("c", 0);
    List<Map<String, Object>> read = ReadRows.of(List.of(rows), "runs_versions");
    assertThat(read.get(0))
        .containsEntry("user", null)
        .containsEntry("modules", List.of("POSIX", "STDIO"))
        .containsEntry("slow", 1);
    assertThat(read.get(1))
        .containsEntry("user", "ann")
        .containsEntry("evidence_classes", List.of(Map.entry("a", "1"), Map.entry("b", "2")))
        .containsEntry("slow", null);
  }

  @Test
  void aPackedColumnIsCopiedFromItsOffset() {
    Rows rows =
        new NativeBlock(Table.named("posix_records_versions"), 2, 0)
            .packed("POSIX_READS", PackedColumns.pack(1L, 2L, 3L, -4L), 16)
            .build("c", 0);
    assertThat(ReadRows.of(List.of(rows), "posix_records_versions"))
        .extracting(row -> row.get("POSIX_READS"))
        .containsExactly(3L, -4L);
  }

  @Test
  void mistakesNameTheColumn() {
    NativeBlock block = new NativeBlock(Table.named("landings"), 1, 0);
    assertThatThrownBy(() -> block.constant("no_column", 1)).hasMessageContaining("no_column");
    assertThatThrownBy(() -> block.constant("table", null)).hasMessageContaining("landings.table");
    assertThatThrownBy(() -> block.column("rows", List.of(1, 2))).hasMessageContaining("rows");
    assertThatThrownBy(() -> block.packed("table", PackedColumns.pack(1L), 0))
        .hasMessageContaining("table");
    assertThatThrownBy(() -> Table.named("nothing")).hasMessageContaining("nothing");
  }
}
