/** Builds what the graphs of all jobs share. */
package org.weir.flink;
