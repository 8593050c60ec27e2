/** Adds samples up to the load of servers, and servers to file systems. */
@NullUnmarked // its code is not checked yet
package org.weir.storage.load;

import org.jspecify.annotations.NullUnmarked;
