package org.weir.analysis.features;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.weir.analysis.TestLog.MIB;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.weir.analysis.TestLog;
import org.weir.analysis.accumulate.CounterSums;
import org.weir.analysis.accumulate.RunAccumulator;
import org.weir.analysis.log.Module;
import org.weir.analysis.run.RunDetail;
import org.weir.analysis.run.RunDetail.FilesystemPart;
import org.weir.analysis.run.RunFeatures;
import org.weir.analysis.run.RunFile;
import org.weir.analysis.state.StateBytes;

/**
 * State that was written before is read now. The folder state holds what each format made of the
 * same log; record a new format once, with {@code -Drecord=src/test/resources/state} and its number
 * in {@link #NEWEST}, and never change what is recorded.
 */
public class StateFormatTest {
  private static final int NEWEST = 1;

  /** Of each module a record in which no two counters are the same, and all else that is kept. */
  private static TestLog log() {
    TestLog log = new TestLog(4);
    for (Module module : Module.values()) {
      long rank = module == Module.STDIO ? 2 : -1;
      TestLog.Row row = new TestLog.Row(module, "/scratch/a", rank, Map.of());
      for (String counter : module.summed()) {
        row = row.with(counter, 3 + 2 * module.summed().indexOf(counter));
      }
      if (module != Module.LUSTRE) {
        log.add(
            row.with("F_META_TIME", 0.5)
                .with("F_READ_TIME", 2.25)
                .with("F_WRITE_TIME", 0.1)
                .with("F_SLOWEST_RANK_TIME", 1.5)
                .with("F_VARIANCE_RANK_BYTES", 64.0)
                .with("F_READ_START_TIMESTAMP", 1.0)
                .with("F_READ_END_TIMESTAMP", 5.5)
                .with("F_WRITE_START_TIMESTAMP", 2.0)
                .with("F_WRITE_END_TIMESTAMP", 40.0)
                .with("FILE_ALIGNMENT", 4096)
                .with("SLOWEST_RANK", 3)
                .with("SLOWEST_RANK_BYTES", 7)
                .with("USE_MPIIO_COLLECTIVE", 1)
                .with("CHUNK_SIZE_D1", 128));
      }
    }
    return log.add(
            TestLog.posix("/home/b", 1).with("OPENS", 1000).with("BYTES_WRITTEN", 3 * MIB),
            TestLog.stdio("<STDOUT>", 0).with("WRITES", 11))
        .lustre("/scratch/a", -1, MIB, 3, 5)
        .heat(Module.POSIX, 1, 2, 5 * MIB, 7);
  }

  private static byte[] recorded(String name) throws IOException {
    try (InputStream in = StateFormatTest.class.getResourceAsStream("/state/" + name)) {
      return in.readAllBytes();
    }
  }

  /** Of features, what toBytes writes. */
  public static RunFeatures kept(RunFeatures run) {
    return new RunFeatures(
        run.logState(),
        run.modules(),
        run.filesystem(),
        run.direction(),
        run.nprocs(),
        run.startTime(),
        run.runTimeSeconds(),
        run.features(),
        run.traits(),
        List.of(),
        new RunDetail(
            run.detail().filesystems().stream()
                .map(
                    part ->
                        new FilesystemPart(
                            part.filesystem(),
                            part.bytesRead(),
                            part.bytesWritten(),
                            0,
                            null,
                            part.features()))
                .toList(),
            List.of(),
            run.detail().files()));
  }

  @Test
  void sumsOfTheNewestFormatAreReadAsTheyWere() throws IOException {
    RunAccumulator sums = RunAccumulator.fromBytes(recorded("sums-" + NEWEST));
    assertThat(sums.toBytes()).isEqualTo(log().accumulator().toBytes());
  }

  @ParameterizedTest
  @ValueSource(ints = NEWEST)
  void sumsOfEachFormatAreReadAsThoseOfTheLogItself(int format) throws IOException {
    RunAccumulator sums = RunAccumulator.fromBytes(recorded("sums-" + format));
    RunFeatures run =
        FeatureComputer.compute(log().header(), log().end(), false, sums, TestLog.SITE);
    assertThat(run.features()).isEqualTo(log().features().features());
    // OPENS is the fifth counter of POSIX: 3 + 2 * 4
    assertThat(run.value("opens")).isEqualTo(1000 + 11);
    assertThat(run.value("stripe_count")).isEqualTo(2);
    assertThat(run.value("stdio_writes")).isEqualTo(3 + 2 * 3);
    assertThat(run.value("file_alignment_bytes")).isEqualTo(4096);
    assertThat(run.value("file_alignment_smallest_bytes")).isEqualTo(4096);
  }

  @ParameterizedTest
  @ValueSource(ints = NEWEST)
  void featuresOfEachFormatAreReadAsThoseOfTheLogItself(int format) throws IOException {
    RunFeatures run = RunFeaturesBytes.read(recorded("features-" + format));
    assertThat(run.features()).isEqualTo(log().features().features());
    assertThat(run.value("opens")).isEqualTo(1000 + 11);
    assertThat(run.detail().files()).extracting(RunFile::stripeCount).contains(2.0);
    assertThat(run.detail().filesystems())
        .extracting(FilesystemPart::filesystem)
        .containsExactly("home", "scratch");
    // as the first rows of the log say: 3 MiB written by the program's own file
    assertThat(run.detail().filesystems().get(0).bytesWritten()).isEqualTo(3 * MIB);
  }

  @Test
  void aCounterThatIsSummedOnlySinceIsUnavailable() {
    StateBytes.Out out = new StateBytes.Out(3);
    out.writePacked(1);
    out.writePacked(1 + 40); // OPENS, and no FLUSHES
    CounterSums sums = new CounterSums(Module.H5F);
    sums.read(new StateBytes.In(out.toByteArray(), "sums", 3, 3));
    assertThat(sums.of("OPENS").value()).isEqualTo(40);
    assertThat(sums.of("FLUSHES").isAvailable()).isFalse();
  }

  @Test
  void aFeatureThatIsComputedOnlySinceIsUnknowable() {
    RunFeatures run = kept(log().features());
    run.features().remove("opens");
    RunFeatures read = RunFeaturesBytes.read(RunFeaturesBytes.write(run));
    assertThat(read.feature("opens").isKnown()).isFalse();
    assertThat(read.evidenceClasses()).containsEntry("opens", "unknowable");
    assertThat(read.value("stdio_writes")).isEqualTo(3 + 2 * 3);
  }

  @Test
  void whatALaterVersionWroteIsRefused() {
    assertThatThrownBy(() -> RunAccumulator.fromBytes(new byte[] {9, 0, 0}))
        .hasMessage("sums of a run: format 9, this version of the program reads 6 to 6");
    assertThatThrownBy(() -> RunFeaturesBytes.read(new byte[] {9, 0, 0}))
        .hasMessage("features of a run: format 9, this version of the program reads 5 to 5");
    StateBytes.Out out = new StateBytes.Out(3);
    out.writePacked(3);
    assertThatThrownBy(
            () -> new CounterSums(Module.H5F).read(new StateBytes.In(out.toByteArray(), "", 3, 3)))
        .hasMessage("H5F: 3 counters were summed, this version of the program knows 2");
  }

  @Test
  void damagedStateIsRefused() {
    byte[] sums = log().accumulator().toBytes();
    byte[] features = RunFeaturesBytes.write(log().features());
    for (int more : new int[] {-1, 1}) {
      assertThatThrownBy(() -> RunAccumulator.fromBytes(Arrays.copyOf(sums, sums.length + more)))
          .hasMessageContaining("damaged");
      assertThatThrownBy(
              () -> RunFeaturesBytes.read(Arrays.copyOf(features, features.length + more)))
          .hasMessageContaining("damaged");
    }
  }

  @Test
  @EnabledIfSystemProperty(named = "record", matches = ".+")
  void record() throws IOException {
    Path folder = Path.of(System.getProperty("record"));
    Files.write(folder.resolve("sums-" + NEWEST), log().accumulator().toBytes());
    Files.write(folder.resolve("features-" + NEWEST), RunFeaturesBytes.write(log().features()));
  }
}
