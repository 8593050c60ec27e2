package org.weir.load;

import org.junit.jupiter.api.Test;
import org.weir.wire.testing.PackageOrder;

class PackageOrderTest {
  @Test
  void packagesUseOnlyThoseBeforeThem() {
    PackageOrder.check("org.weir.load", "sample", "bucket", "gather", "recorded");
  }
}
