package org.weir.analysis;

import org.junit.jupiter.api.Test;
import org.weir.wire.testing.PackageOrder;

class PackageOrderTest {
  @Test
  void packagesUseOnlyThoseBeforeThem() {
    PackageOrder.check(
        "org.weir.analysis",
        "state",
        "log",
        "accumulate",
        "evidence",
        "totals",
        "traffic",
        "run",
        "features",
        "load",
        "compare",
        "rules.formula",
        "rules",
        "judge",
        "job",
        "report");
  }
}
