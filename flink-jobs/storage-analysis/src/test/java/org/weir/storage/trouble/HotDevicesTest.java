package org.weir.storage.trouble;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.weir.load.bucket.DevicePart;
import org.weir.load.sample.Columns;
import org.weir.site.Site;

/** Against the defaults: at least 0.8 busy, or 0.1 s a request, and three times the median. */
class HotDevicesTest {

  private final TreeMap<String, DevicePart> devices = new TreeMap<>();

  private void device(String id, double util, double requests, double latencySeconds) {
    double[] sums = new double[Columns.COUNT];
    sums[Columns.BUSY_SECONDS] = util * 10;
    sums[Columns.READS] = requests;
    sums[Columns.READ_WAIT_SECONDS] = requests * latencySeconds;
    devices.put(id, new DevicePart("s1", sums, 10, 1, 1));
  }

  private Map<String, HotDevices.Suspect> suspects() {
    return HotDevices.of(devices, Site.StorageEvents.DEFAULTS);
  }

  @Test
  void aDeviceFarBusierThanTheOthersIsHot() {
    device("a", 0.9, 0, 0);
    device("b", 0.1, 0, 0);
    device("c", 0.2, 0, 0);
    device("d", 0.3, 0, 0);
    assertThat(suspects()).containsOnlyKeys("a");
    assertThat(suspects().get("a").level).isEqualTo(Level.HIGH);
    assertThat(suspects().get("a").numbers).containsExactly(0.9, 0.2, 0, Double.NaN);
  }

  @Test
  void oneThatIsBusyAmongBusyOnesIsNot() {
    device("a", 1, 0, 0);
    device("b", 0.5, 0, 0);
    device("c", 0.6, 0, 0);
    assertThat(suspects()).isEmpty();
  }

  @Test
  void oneThatAnswersFarMoreSlowlyIsHot() {
    device("a", 0.3, 10, 0.5);
    device("b", 0.3, 10, 0.02);
    device("c", 0.3, 10, 0.04);
    device("idle", 0, 0, 0);
    assertThat(suspects()).containsOnlyKeys("a");
    assertThat(suspects().get("a").numbers[3]).isEqualTo(0.03);
  }

  @Test
  void aShareBelowTheThresholdIsNeitherHotNorCalm() {
    device("a", 0.7, 0, 0);
    device("b", 0.1, 0, 0);
    device("c", 0.1, 0, 0);
    assertThat(suspects().get("a").level).isEqualTo(Level.BETWEEN);
  }

  @Test
  void twoDevicesAreTooFewToTellWhichIsUnlikeTheOther() {
    device("a", 1, 10, 1);
    device("b", 0.01, 10, 0.001);
    assertThat(suspects()).isEmpty();
  }
}
