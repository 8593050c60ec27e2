/** Adds samples up to the load of servers, and servers to file systems. */
@NullMarked
package org.weir.storage.load;

import org.jspecify.annotations.NullMarked;
