/** Decodes the messages that the job reads; records and raw rows leave here. */
@NullMarked
package org.weir.job.decode;

import org.jspecify.annotations.NullMarked;
