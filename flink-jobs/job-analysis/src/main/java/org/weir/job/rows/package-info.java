/** Writes runs, findings and jobs as rows and messages. */
@NullMarked
package org.weir.job.rows;

import org.jspecify.annotations.NullMarked;
