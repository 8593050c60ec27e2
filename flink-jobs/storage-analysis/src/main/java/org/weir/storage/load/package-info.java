/**
 * Adds samples up to the load of servers, and servers to file systems. {@code
 * org.weir.load.gather.Lateness} in the module {@code flink-jobs/load} decides which samples come
 * too late.
 */
@NullMarked
package org.weir.storage.load;

import org.jspecify.annotations.NullMarked;
