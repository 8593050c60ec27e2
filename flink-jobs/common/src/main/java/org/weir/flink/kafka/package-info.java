/** Reads and writes messages, and puts aside those that cannot be read. */
@NullMarked
package org.weir.flink.kafka;

import org.jspecify.annotations.NullMarked;
