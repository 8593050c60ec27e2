package org.weir.storage;

import org.junit.jupiter.api.Test;
import org.weir.wire.testing.PackageOrder;

class PackageOrderTest {
  @Test
  void packagesUseOnlyThoseBeforeThem() {
    PackageOrder.check(
        "org.weir.storage",
        "control",
        "hours",
        "decode",
        "events",
        "emit",
        "silence",
        "trouble",
        "load",
        "");
  }
}
