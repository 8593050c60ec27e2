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
    // 1111111 | 001000 | 101: 16 bits fe45; 011011 | 26 bits 024abcd: 32 bits 6e24abcd
    assertThat(Long.toHexString(Version.ofRun(0x1234, 127, 8, 5, 27, 0x224abcdL)))
        .isEqualTo("1234fe456e24abcd");
    assertThat(Version.ofRun(0, 0, 0, 0, 0, 0)).isZero();
  }

  @Test
  void layoutOfAJobResult() {
    // 001000 | 1 00000000 00000101 | 1: 24 bits 22000b; then 24 bits 24abcd
    assertThat(Long.toHexString(Version.ofJobResult(0x1234, 8, 0x10005, 0x124abcdL)))
        .isEqualTo("123422000b24abcd");
  }

  @Test
  void countsAndSecondsSaturate() {
    assertThat(Version.ofRun(0, 0, 64, 0, 64, -1)).isEqualTo(Version.ofRun(0, 0, 63, 0, 63, 0));
    assertThat(Version.ofRun(0, 0, 0, 0, 0, 1L << 33)).isEqualTo((1L << 26) - 1);
    assertThat(Version.ofJobResult(0, 64, 1 << 17, 1L << 33)).isEqualTo(0xffff_ffff_ffffL);
  }

  @Test
  void refusesWhatDoesNotFit() {
    assertThatThrownBy(() -> Version.ofRun(65_536, 0, 0, 0, 0, 0))
        .hasMessageContaining("revision is 65536");
    assertThatThrownBy(() -> Version.ofRun(0, 128, 0, 0, 0, 0)).hasMessageContaining("log is 128");
    assertThatThrownBy(() -> Version.ofRun(0, 0, 0, 8, 0, 0)).hasMessageContaining("load is 8");
  }

  @Property
  void weightierInputsDecide(
      @ForAll @IntRange(max = 65_534) int revision,
      @ForAll @IntRange(max = 126) int log,
      @ForAll @IntRange(max = 62) int submits,
      @ForAll @IntRange(max = 62) int baseline,
      @ForAll @LongRange(min = 0, max = 0x3ffffffL) long second) {
    long version = Version.ofRun(revision, log, submits, 6, baseline, second);
    assertThat(Long.compareUnsigned(Version.ofRun(revision + 1, 0, 0, 0, 0, 0), version))
        .isPositive();
    assertThat(Long.compareUnsigned(Version.ofRun(revision, log + 1, 0, 0, 0, 0), version))
        .isPositive();
    assertThat(Long.compareUnsigned(Version.ofRun(revision, log, submits + 1, 0, 0, 0), version))
        .isPositive();
    assertThat(Long.compareUnsigned(Version.ofRun(revision, log, submits, 7, 0, 0), version))
        .isPositive();
    assertThat(
            Long.compareUnsigned(
                Version.ofRun(revision, log, submits, 6, baseline + 1, 0), version))
        .isPositive();
  }
}
