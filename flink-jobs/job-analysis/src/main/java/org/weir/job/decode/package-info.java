/** Decodes the messages that the job reads; records and raw rows leave here. */
package org.weir.job.decode;
