/** Adds samples up to the load of servers, and servers to file systems. */
package org.weir.storage.load;
