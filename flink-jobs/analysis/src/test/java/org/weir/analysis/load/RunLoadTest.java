package org.weir.analysis.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.weir.analysis.TestLog.MIB;
import static org.weir.analysis.TestLog.START;
import static org.weir.analysis.TestLog.posix;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.weir.analysis.TestLog;
import org.weir.analysis.compare.Baseline;
import org.weir.analysis.judge.RunJudgement;
import org.weir.analysis.judge.Verdict;
import org.weir.analysis.log.Module;
import org.weir.analysis.ruleengine.RuleSet;
import org.weir.analysis.slowness.References;
import org.weir.analysis.traffic.OwnDevice;
import org.weir.site.Site;

/** Load of the devices that hold a run's files, by hand. The run moves its bytes in one second. */
class RunLoadTest {
  private static final Site SITE =
      Site.parse(
          """
          {"cluster": "demo", "time_zone": "UTC", "load_bucket_seconds": 1,
           "cores_per_node": {"default": 16},
           "file_systems": [
             {"id": "scratch", "kind": "lustre", "mount_prefixes": ["/scratch"],
              "devices": {"oss1": ["d0", "d1"], "oss2": ["d2", "d3"], "oss3": ["d3"]},
              "targets": {"0": "d0", "1": "d1", "2": "d2", "3": "d3"},
              "peak_mib_per_second": {"1": 500.0, "16": 4000.0}},
             {"id": "pool", "kind": "gpfs", "mount_prefixes": ["/pool"],
              "devices": {"nsd1": ["n1", "n2"], "nsd2": ["n3", "n4"]}},
             {"id": "local", "kind": "local_disk", "mount_prefixes": ["/local"],
              "devices": {"vm": ["loop1"]}, "shared_devices": {"vm": ["vda"]},
              "peak_mib_per_second": {"1": 500.0, "16": 4000.0}}]}
          """);

  /** Writes so many MiB in its first second and loses 38 s over it. */
  private static TestLog run(String file, long mib) {
    return new TestLog(32)
        .runTime(100)
        .add(
            posix(file, 0)
                .with("BYTES_WRITTEN", mib * MIB)
                .with("F_WRITE_TIME", 40)
                .with("WRITES", 10))
        .heat(Module.POSIX, 0, 0, 0, mib * MIB);
  }

  private static List<OwnDevice> devices(TestLog log) {
    return LoadWindow.of(log.features(SITE), SITE).devices();
  }

  /** By name what a device or file system wrote in that second, MiB, and how busy it was. */
  private static final class Storage {
    private final Map<String, BucketLoad> loads = new HashMap<>();

    Storage with(String name, double mib, double util) {
      loads.put(name, new BucketLoad(0, mib * MIB, util, util, true, true));
      return this;
    }

    Storage silent(String name) {
      loads.put(name, new BucketLoad(0, 0, 0, 0, true, false));
      return this;
    }

    private LoadSummary of(LoadWindow window, String name) {
      BucketLoad load = loads.get(name);
      return window.summarize(load == null ? Map.of() : Map.of(START, load), true);
    }

    LoadSummary beside(TestLog log) {
      return RunLoad.of(
          LoadWindow.all(log.features(SITE), SITE).stream()
              .map(
                  window -> {
                    Map<OwnDevice, LoadSummary> devices = new HashMap<>();
                    window
                        .devices()
                        .forEach(
                            d ->
                                devices.put(
                                    d, of(window.of(d), d.server().equals("oss3") ? "" : d.id())));
                    return new RunLoad.OfFilesystem(
                        window.filesystem(), of(window, window.filesystem()), devices);
                  })
              .toList());
    }
  }

  private static Verdict verdict(TestLog log, LoadSummary load) {
    return RunJudgement.of(
            log.features(SITE),
            2,
            "batch",
            load,
            Baseline.NONE,
            new References(),
            SITE,
            RuleSet.empty())
        .verdict();
  }

  @Test
  void theTargetsOfItsFilesTellTheDevices() {
    TestLog log = run("/scratch/a", 900).lustre("/scratch/a", -1, MIB, 0, 2);
    log.add(posix("/scratch/b", 1).with("BYTES_READ", 300 * MIB)).lustre("/scratch/b", -1, MIB, 2);
    assertThat(devices(log))
        .containsExactly(
            new OwnDevice("oss1", "d0", 450 / 1200.0, true),
            new OwnDevice("oss2", "d2", 750 / 1200.0, true));
  }

  @Test
  void withoutLayoutsOrTheirDevicesNothingIsKnown() {
    assertThat(devices(run("/scratch/a", 900))).isEmpty();
    assertThat(devices(run("/scratch/a", 900).lustre("/scratch/a", -1, MIB, 2, 9))).isEmpty();
    TestLog half = run("/scratch/a", 900).lustre("/scratch/a", -1, MIB, 2);
    assertThat(devices(half)).hasSize(1);
    half.add(posix("/scratch/b", 1).with("BYTES_READ", 900 * MIB));
    assertThat(devices(half)).as("a file without a layout").isEmpty();
  }

  @Test
  void someKindsLayEachFileOnAllTheirDevices() {
    assertThat(devices(run("/pool/a", 900)))
        .hasSize(4)
        .allMatch(device -> device.share() == 0.25 && device.placed());
    assertThat(devices(run("/local/a", 900)))
        .containsExactly(
            new OwnDevice("vm", "loop1", 1, true), new OwnDevice("vm", "vda", 1, false));
  }

  /**
   * d2 holds the file of 1,000 MiB and others write 400 MiB to it, which keeps it busy all the
   * time; d0, d1 and d3 idle. Over the file system that is 25 % and 0.4 times the run's bytes:
   * quiet.
   */
  @Test
  void aHotDeviceAmongIdleOnesIsSeen() {
    TestLog log = run("/scratch/a", 1_000);
    Storage storage =
        new Storage().with("scratch", 1_400, 0.25).with("d2", 1_400, 1).with("d0", 0, 0);
    LoadSummary diluted = storage.beside(log);
    assertThat(diluted.devices()).isEmpty();
    assertThat(verdict(log, diluted).reason())
        .isEqualTo("no pattern found and the storage was quiet");
    log.lustre("/scratch/a", -1, MIB, 2);
    LoadSummary load = storage.beside(log);
    assertThat(load.devices()).containsExactly("d2");
    assertThat(load.utilMean()).isEqualTo(1);
    assertThat(load.deviceBytes()).isEqualTo(1_400.0 * MIB);
    assertThat(load.othersBytes()).isEqualTo(400.0 * MIB);
    assertThat(verdict(log, load))
        .isEqualTo(
            new Verdict(
                Verdict.Value.STORAGE,
                "others moved 400 MiB beside the run's 1000 MiB, devices busy 100 %;"
                    + " no pattern found"));
  }

  /** The same device is one of two: 50 % busy in the mean, but the run waits for it. */
  @Test
  void theBusiestOfItsDevicesIsWhatItWaitsFor() {
    TestLog log = run("/scratch/a", 1_000).lustre("/scratch/a", -1, MIB, 0, 2);
    Storage storage =
        new Storage().with("scratch", 1_100, 0.25).with("d2", 600, 1).with("d0", 500, 0);
    LoadSummary load = storage.beside(log);
    assertThat(load.utilMean()).isEqualTo(0.5);
    assertThat(load.busiest()).isEqualTo(new DeviceLoad("d2", 1, 600.0 * MIB, 100.0 * MIB));
    assertThat(verdict(log, load).reason())
        .startsWith("others moved 100 of the 600 MiB on d2, which was busy 100 %");
  }

  @Test
  void whatOthersDoToDevicesThatItDidNotUseIsNoExcuse() {
    TestLog log = run("/scratch/a", 1_000);
    Storage storage = new Storage().with("scratch", 9_000, 0.5).with("d2", 1_000, 0.5);
    assertThat(verdict(log, storage.beside(log)).value()).isEqualTo(Verdict.Value.STORAGE);
    log.lustre("/scratch/a", -1, MIB, 2);
    assertThat(storage.beside(log).busiest()).isNull();
    assertThat(verdict(log, storage.beside(log)).value()).isEqualTo(Verdict.Value.UNKNOWN);
  }

  @Test
  void aServerThatItDidNotUseMayBeSilent() {
    TestLog log = run("/scratch/a", 1_000);
    Storage storage = new Storage().silent("scratch").with("d2", 1_000, 0.5);
    assertThat(storage.beside(log).state()).isEqualTo(LoadState.INCOMPLETE);
    log.lustre("/scratch/a", -1, MIB, 2);
    assertThat(storage.beside(log).state()).isEqualTo(LoadState.CLOSED);
  }

  @Test
  void aDeviceThatIsNotSampledLeavesTheFileSystem() {
    TestLog log = run("/scratch/a", 1_000).lustre("/scratch/a", -1, MIB, 1, 2);
    LoadSummary load = new Storage().with("scratch", 3_500, 0.5).with("d2", 3_500, 0.5).beside(log);
    assertThat(load.devices()).isEmpty();
    assertThat(load.othersBytes()).isEqualTo(2_500.0 * MIB);
    assertThat(load.busiest().name()).isEqualTo("d2");
  }

  @Test
  void ofADeviceWithTwoServersTheOneThatTellsOfItCounts() {
    TestLog log = run("/scratch/a", 1_000).lustre("/scratch/a", -1, MIB, 3);
    assertThat(devices(log)).extracting(OwnDevice::server).containsExactly("oss2", "oss3");
    LoadSummary load = new Storage().with("scratch", 1_000, 0.2).with("d3", 1_300, 0.9).beside(log);
    assertThat(load.devices()).containsExactly("d3");
    assertThat(load.othersBytes()).isCloseTo(300.0 * MIB, within(1.0));
  }

  /** loop1 is a file on vda, on which another file system lies too. */
  @Test
  void aDiskThatTwoFileSystemsShareIsSeenWhereTheSiteMapsIt() {
    TestLog log = run("/local/a", 1_000);
    LoadSummary quiet =
        new Storage().with("local", 1_000, 0.9).with("loop1", 1_000, 0.9).beside(log);
    assertThat(quiet.busiest()).isNull();
    LoadSummary busy =
        new Storage()
            .with("local", 1_000, 0.9)
            .with("loop1", 1_000, 0.9)
            .with("vda", 1_500, 0.95)
            .beside(log);
    assertThat(busy.devices()).containsExactly("loop1");
    assertThat(busy.deviceBytes()).as("vda carries the same bytes").isEqualTo(1_000.0 * MIB);
    assertThat(verdict(log, busy).reason())
        .startsWith("others moved 500 of the 1500 MiB on vda, which was busy 95 %");
  }

  @Test
  void anotherFileSystemThatItUsesCanBeTheBusyOne() {
    TestLog log =
        run("/scratch/a", 1_000)
            .add(posix("/pool/a", 0).with("BYTES_READ", 150 * MIB))
            .heat(Module.POSIX, 0, 0, 150 * MIB, 0);
    LoadSummary load =
        new Storage().with("scratch", 1_000, 0.2).with("pool", 3_000, 0.95).beside(log);
    assertThat(load.deviceBytes()).isEqualTo(1_000.0 * MIB);
    assertThat(load.busiest().name()).isEqualTo("pool");
    assertThat(verdict(log, load).value()).isEqualTo(Verdict.Value.STORAGE);
    assertThat(
            LoadWindow.all(
                run("/scratch/a", 1_000)
                    .add(posix("/pool/a", 0).with("BYTES_READ", 99 * MIB))
                    .features(SITE),
                SITE))
        .as("a tenth of the bytes is not reached")
        .hasSize(1);
  }
}
