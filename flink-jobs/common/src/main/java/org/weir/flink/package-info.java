/** Builds what the graphs of all jobs share. */
@NullMarked
package org.weir.flink;

import org.jspecify.annotations.NullMarked;
