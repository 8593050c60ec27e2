/** Lands rows in ClickHouse, at least once. */
@NullMarked
package org.weir.flink.clickhouse;

import org.jspecify.annotations.NullMarked;
