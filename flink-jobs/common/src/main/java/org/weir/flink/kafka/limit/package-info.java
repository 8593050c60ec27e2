/** Changes Kafka's client when the jar is built: a record unpacks to a bounded size. */
@NullMarked
package org.weir.flink.kafka.limit;

import org.jspecify.annotations.NullMarked;
