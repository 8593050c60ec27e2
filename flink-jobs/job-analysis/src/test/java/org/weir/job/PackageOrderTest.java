package org.weir.job;

import org.junit.jupiter.api.Test;
import org.weir.wire.testing.PackageOrder;

class PackageOrderTest {
  @Test
  void packagesUseOnlyThoseBeforeThem() {
    PackageOrder.check(
        "org.weir.job",
        "run",
        "control",
        "baseline",
        "load",
        "assemble",
        "evaluate",
        "rows",
        "join",
        "decode",
        "");
  }
}
