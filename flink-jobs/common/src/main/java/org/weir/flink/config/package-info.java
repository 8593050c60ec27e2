/** Reads and checks a job's configuration. */
package org.weir.flink.config;
