/** Writes runs, findings and jobs as rows and messages. */
package org.weir.job.rows;
