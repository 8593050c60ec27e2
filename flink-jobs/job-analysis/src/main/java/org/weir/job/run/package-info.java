/** Holds what one log says of its run. */
package org.weir.job.run;
