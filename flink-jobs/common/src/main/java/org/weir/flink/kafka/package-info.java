/** Reads and writes messages, and puts aside those that cannot be read. */
package org.weir.flink.kafka;
