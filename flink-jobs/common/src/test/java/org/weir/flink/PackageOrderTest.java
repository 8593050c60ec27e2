package org.weir.flink;

import org.junit.jupiter.api.Test;
import org.weir.wire.testing.PackageOrder;

class PackageOrderTest {
  @Test
  void packagesUseOnlyThoseBeforeThem() {
    PackageOrder.check(
        "org.weir.flink", "clickhouse", "kafka.limit", "config", "kafka", "", "control");
  }
}
