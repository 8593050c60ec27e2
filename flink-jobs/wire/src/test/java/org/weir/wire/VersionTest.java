package org.weir.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.weir.wire.Version.OfJobResult;
import org.weir.wire.Version.OfRun;

class VersionTest {
  @Test
  void layoutOfARun() {
    // 1111111 | 001000 | 101: 16 bits fe45; 011011 | 26 bits 024abcd: 32 bits 6e24abcd
    assertThat(Long.toHexString(new OfRun(0x1234, 127, 8, 5, 27, 0x224abcdL).bits()))
        .isEqualTo("1234fe456e24abcd");
    assertThat(new OfRun(0, 0, 0, 0, 0, 0).bits()).isZero();
  }

  @Test
  void layoutOfAJobResult() {
    // 001000 | 1 00000000 00000101 | 1: 24 bits 22000b; then 24 bits 24abcd
    assertThat(Long.toHexString(new OfJobResult(0x1234, 8, 0x10005, 0x124abcdL).bits()))
        .isEqualTo("123422000b24abcd");
  }

  @Test
  void countsAndSecondsSaturate() {
    assertThat(new OfRun(0, 0, 64, 0, 64, -1).bits())
        .isEqualTo(new OfRun(0, 0, 63, 0, 63, 0).bits());
    assertThat(new OfRun(0, 0, 0, 0, 0, 1L << 33).bits()).isEqualTo((1L << 26) - 1);
    assertThat(new OfJobResult(0, 64, 1 << 17, 1L << 33).bits()).isEqualTo(0xffff_ffff_ffffL);
  }

  @Test
  void refusesWhatDoesNotFit() {
    assertThatThrownBy(() -> new OfRun(65_536, 0, 0, 0, 0, 0))
        .hasMessageContaining("revision is 65536");
    assertThatThrownBy(() -> new OfRun(0, 128, 0, 0, 0, 0)).hasMessageContaining("log is 128");
    assertThatThrownBy(() -> new OfRun(0, 0, 0, 8, 0, 0)).hasMessageContaining("load is 8");
    assertThatThrownBy(() -> new OfJobResult(-1, 0, 0, 0)).hasMessageContaining("revision is -1");
  }

  @Test
  void theHighestBitIsNoSign() {
    assertThat(Version.isAbove(new OfRun(0xFFFF, 0, 0, 0, 0, 0).bits(), 1)).isTrue();
    assertThat(Version.isAbove(5, 5)).isFalse();
  }

  @Provide
  Arbitrary<OfRun> runs() {
    return Combinators.combine(
            upTo(65_535), upTo(127), upTo(70), upTo(7), upTo(70), Arbitraries.longs())
        .as(OfRun::new);
  }

  @Provide
  Arbitrary<OfJobResult> results() {
    return Combinators.combine(upTo(65_535), upTo(70), upTo(1 << 18), Arbitraries.longs())
        .as(OfJobResult::new);
  }

  private static Arbitrary<Integer> upTo(int most) {
    return Arbitraries.integers().between(0, most);
  }

  @Property
  void whatIsKnownFromTwoStatesOfARunIsNotBelowEither(
      @ForAll("runs") OfRun a, @ForAll("runs") OfRun b) {
    OfRun both =
        new OfRun(
            Math.max(a.revision(), b.revision()),
            Math.max(a.log(), b.log()),
            Math.max(a.submits(), b.submits()),
            Math.max(a.load(), b.load()),
            Math.max(a.baseline(), b.baseline()),
            Math.max(a.seconds(), b.seconds()));
    assertIsNotBelow(both, a, b);
  }

  @Property
  void whatIsKnownFromTwoStatesOfAResultIsNotBelowEither(
      @ForAll("results") OfJobResult a, @ForAll("results") OfJobResult b) {
    OfJobResult both =
        new OfJobResult(
            Math.max(a.revision(), b.revision()),
            Math.max(a.submits(), b.submits()),
            Math.max(a.logs(), b.logs()),
            Math.max(a.rest(), b.rest()));
    assertIsNotBelow(both, a, b);
  }

  private static void assertIsNotBelow(Version both, Version a, Version b) {
    assertThat(Version.isAbove(a.bits(), both.bits())).isFalse();
    assertThat(Version.isAbove(b.bits(), both.bits())).isFalse();
  }

  @Property
  void oneMoreOfAWeightierComponentDecides(
      @ForAll("runs") OfRun run, @ForAll @IntRange(max = 4) int component) {
    OfRun more =
        switch (component) {
          case 0 -> new OfRun(run.revision() + 1 & 0xFFFF, 0, 0, 0, 0, 0);
          case 1 -> new OfRun(run.revision(), run.log() + 1 & 127, 0, 0, 0, 0);
          case 2 -> new OfRun(run.revision(), run.log(), run.submits() + 1, 0, 0, 0);
          case 3 -> new OfRun(run.revision(), run.log(), run.submits(), run.load() + 1 & 7, 0, 0);
          default ->
              new OfRun(
                  run.revision(), run.log(), run.submits(), run.load(), run.baseline() + 1, 0);
        };
    boolean full =
        switch (component) {
          case 0 -> run.revision() == 0xFFFF;
          case 1 -> run.log() == Version.WHOLE_LOG;
          case 2 -> run.submits() >= 63;
          case 3 -> run.load() == Version.WHOLE_LOAD;
          default -> run.baseline() >= 63;
        };
    assertThat(full || Version.isAbove(more.bits(), run.bits())).isTrue();
  }
}
