/** Reads and checks a job's configuration. */
@NullMarked
package org.weir.flink.config;

import org.jspecify.annotations.NullMarked;
