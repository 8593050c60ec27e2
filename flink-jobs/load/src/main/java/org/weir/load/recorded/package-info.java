/** Computes the load of samples that are all at hand. */
package org.weir.load.recorded;
