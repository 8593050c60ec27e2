/** Lands rows in ClickHouse, at least once. */
package org.weir.flink.clickhouse;
