/** Names the modules of a Darshan log, and says how whole a log is. */
@NullMarked
package org.weir.analysis.log;

import org.jspecify.annotations.NullMarked;
