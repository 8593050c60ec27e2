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
        "slowness",
        "compare",
        "ruleengine.formula",
        "ruleengine",
        "judge",
        "job",
        "report");
  }
}
