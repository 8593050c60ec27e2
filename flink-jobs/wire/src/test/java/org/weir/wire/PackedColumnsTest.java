package org.weir.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

class PackedColumnsTest {
  private static LogBatch batch(ByteBuffer ints) {
    return new LogBatch(
        "demo",
        1L,
        0L,
        "POSIX",
        4,
        0,
        2,
        PackedColumns.pack(-1L, 5L),
        PackedColumns.pack(-1L, 0L),
        List.of("/a", "/b"),
        List.of("POSIX_OPENS", "POSIX_READS"),
        ints,
        List.of("POSIX_F_META_TIME"),
        PackedColumns.pack(0.5, Double.NaN));
  }

  @Test
  void readsColumnsByName() throws Exception {
    PackedColumns columns = PackedColumns.of(batch(PackedColumns.pack(1, 2, 3, Long.MIN_VALUE)));
    assertThat(columns.rows()).isEqualTo(2);
    assertThat(columns.longs("POSIX_OPENS").get(1)).isEqualTo(2);
    assertThat(columns.longs("POSIX_READS").get(1)).isEqualTo(Long.MIN_VALUE);
    assertThat(columns.doubles("POSIX_F_META_TIME").get(0)).isEqualTo(0.5);
    assertThat(columns.recordIds().get(0)).isEqualTo(-1);
    assertThat(columns.ranks().get(0)).isEqualTo(-1);
    assertThat(columns.longs("POSIX_WRITES")).isNull();
  }

  @Test
  void theBytesAreLittleEndianAndMayStartAnywhereInTheirBuffer() throws Exception {
    ByteBuffer packed = PackedColumns.pack(258);
    assertThat(packed.get(0)).isEqualTo((byte) 2);
    ByteBuffer shifted = ByteBuffer.allocate(40).position(8);
    shifted.duplicate().put(PackedColumns.pack(1, 2, 3, 4));
    assertThat(PackedColumns.of(batch(shifted.limit(40))).longs("POSIX_READS").get(0)).isEqualTo(3);
  }

  @Test
  void saysWhichColumnsDoNotFit() {
    assertThatThrownBy(() -> PackedColumns.of(batch(PackedColumns.pack(1, 2, 3))))
        .isInstanceOf(WireException.class)
        .hasMessage(
            "batch 0 of module POSIX, ints: expected 32 bytes for 2 columns of 2 rows, found 24");
  }

  @Test
  void readsDevices() throws Exception {
    DeviceSample sample =
        new DeviceSample(
            "demo",
            "oss1",
            0L,
            1.0,
            false,
            null,
            List.of("a", "b"),
            List.of("sda", "sdb"),
            List.of("reads", "busy_seconds"),
            PackedColumns.pack(1.0, 2.0, 0.25, 0.5),
            "live");
    PackedColumns columns = PackedColumns.of(sample);
    assertThat(columns.doubles("busy_seconds").get(1)).isEqualTo(0.5);
    assertThat(columns.doubles("writes")).isNull();
    assertThatThrownBy(columns::recordIds).hasMessage("device values have no record ids");
    assertThatThrownBy(columns::ranks).hasMessage("device values have no ranks");
  }
}
