package org.weir.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.junit.jupiter.api.Test;
import org.weir.flink.testing.StateClasses;
import org.weir.storage.control.Sites;
import org.weir.storage.control.StorageSettings;
import org.weir.storage.hours.HourlyLoadFunction;
import org.weir.storage.load.FilesystemLoadFunction;
import org.weir.storage.load.ServerLoadFunction;
import org.weir.storage.silence.DeviceWatchFunction;
import org.weir.storage.silence.ServerWatchFunction;
import org.weir.storage.trouble.FilesystemWatchFunction;

/**
 * No class of the state changes its name unless {@code state.format} of flink-jobs/pom.xml rises.
 */
class StateClassesTest {
  private static final StorageSettings SETTINGS = StorageSettings.defaults();
  private static final List<MapStateDescriptor<?, ?>> SITES = List.of(Sites.DESCRIPTOR);

  @Test
  void areCalledAsInTheSavepointsOfBefore() throws Exception {
    assertThat(
            List.of(
                StateClasses.of(new ServerLoadFunction(List::of, SETTINGS), SITES),
                StateClasses.of(new FilesystemLoadFunction(List::of, SETTINGS), SITES),
                StateClasses.of(new HourlyLoadFunction(SETTINGS)),
                StateClasses.of(new ServerWatchFunction(List::of, SETTINGS), SITES),
                StateClasses.of(new DeviceWatchFunction(List::of, SETTINGS), SITES),
                StateClasses.of(new FilesystemWatchFunction(List::of, SETTINGS), SITES)))
        .containsExactly(
            "ServerLoadFunction: load.bucket.ServerBucket load.gather.ServerProgress "
                + "load.sample.Sample",
            "FilesystemLoadFunction: load.bucket.ServerBucket load.gather.FilesystemBucket "
                + "load.gather.FilesystemProgress",
            "HourlyLoadFunction: storage.hours.HourPart storage.hours.HourlyProgress",
            "ServerWatchFunction: storage.events.Event storage.silence.ServerWatch "
                + "storage.silence.Silence",
            "DeviceWatchFunction: storage.events.Event storage.silence.DeviceWatch "
                + "storage.silence.Silence",
            "FilesystemWatchFunction: storage.events.Event storage.trouble.FilesystemVitals "
                + "storage.trouble.FilesystemWatch storage.trouble.HotDevices$Suspect "
                + "storage.trouble.Level storage.trouble.Trouble storage.trouble.Troubles");
  }
}
