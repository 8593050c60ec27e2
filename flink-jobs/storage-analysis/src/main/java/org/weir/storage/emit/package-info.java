/** Writes load and events as rows and messages. */
package org.weir.storage.emit;
