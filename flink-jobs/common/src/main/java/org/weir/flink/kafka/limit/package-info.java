/** Changes Kafka's client when the jar is built: a record unpacks to a bounded size. */
package org.weir.flink.kafka.limit;
