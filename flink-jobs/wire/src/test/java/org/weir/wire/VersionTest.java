package org.weir.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class VersionTest {
  @Test
  void layoutOfARun() {
    assertThat(Long.toHexString(Version.ofRun(0x1234, 3, 3, 2, 5, 5, 0x6924abcdL)))
        .isEqualTo("1234ff2f6924abcd");
    assertThat(Long.toHexString(Version.ofRun(1, 1, 2, 3, 1, 2, 7))).isEqualTo("17f3700000007");
    assertThat(Version.ofRun(0, 0, 1, 0, 0, 1, 0)).isZero();
  }

  @Test
  void layoutOfAJobResult() {
    assertThat(Long.toHexString(Version.ofJobResult(0x1234, 3, true, 5, 0x6924abcdL)))
        .isEqualTo("123438056924abcd");
    assertThat(Long.toHexString(Version.ofJobResult(0, 0, false, 9_999, 1)))
        .isEqualTo("7ff00000001");
  }

  @Test
  void onlyTheWholeIsFull() {
    long almost = Version.ofRun(0, 9_999, 10_000, 0, 99, 100, 0);
    assertThat(almost >>> 40).isEqualTo(254);
    assertThat(almost >>> 32 & 0xf).isEqualTo(14);
    assertThat(Version.ofRun(0, 0, 0, 0, 0, 0, 0) >>> 40).isEqualTo(255);
  }

  @Test
  void secondsSaturate() {
    assertThat(Version.ofJobResult(0, 0, false, 0, -1)).isZero();
    assertThat(Version.ofJobResult(0, 0, false, 0, 1L << 33)).isEqualTo(0xffffffffL);
  }

  @Test
  void refusesWhatDoesNotFit() {
    assertThatThrownBy(() -> Version.ofRun(65_536, 0, 0, 0, 0, 0, 0))
        .hasMessageContaining("revision is 65536");
    assertThatThrownBy(() -> Version.ofJobResult(0, 16, false, 0, 0)).hasMessageContaining("rank");
  }

  @Property
  void weightierInputsDecide(
      @ForAll @IntRange(max = 65_534) int revision,
      @ForAll @LongRange(max = 300) long batches,
      @ForAll @IntRange(max = 3) int rank,
      @ForAll @LongRange(min = 0, max = 0xffffffffL) long second) {
    long version = Version.ofRun(revision, batches, 300, rank, 2, 4, second);
    long laterRevision = Version.ofRun(revision + 1, 0, 300, 0, 0, 4, 0);
    assertThat(Long.compareUnsigned(laterRevision, version)).isPositive();
    long laterRank = Version.ofRun(revision, batches, 300, rank + 1, 0, 4, 0);
    assertThat(Long.compareUnsigned(laterRank, version)).isPositive();
  }
}
