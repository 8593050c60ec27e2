/**
 * Decodes the Kafka messages that the job reads; Darshan's binary logs are decoded by Python, in
 * {@code ingest/src/weir/darshan}. Records and raw rows leave here.
 */
@NullMarked
package org.weir.job.decode;

import org.jspecify.annotations.NullMarked;
