/** Finds hot devices and saturated file systems. */
package org.weir.storage.trouble;
