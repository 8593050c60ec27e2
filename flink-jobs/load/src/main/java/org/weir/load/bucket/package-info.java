/** Holds what devices, servers and file systems did in one bucket. */
package org.weir.load.bucket;
