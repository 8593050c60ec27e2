/** Names the modules of a Darshan log, and says how whole a log is. */
package org.weir.analysis.log;
