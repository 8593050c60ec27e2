/** Puts the parts of a log together and computes its run's features. */
package org.weir.job.assemble;
