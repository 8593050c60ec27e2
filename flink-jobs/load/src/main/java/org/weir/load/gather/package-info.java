/** Puts samples into the buckets of servers, and these into those of file systems. */
package org.weir.load.gather;
