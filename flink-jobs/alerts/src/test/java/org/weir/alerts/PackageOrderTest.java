package org.weir.alerts;

import org.junit.jupiter.api.Test;
import org.weir.wire.testing.PackageOrder;

class PackageOrderTest {
  @Test
  void packagesUseOnlyThoseBeforeThem() {
    PackageOrder.check("org.weir.alerts", "policy", "");
  }
}
