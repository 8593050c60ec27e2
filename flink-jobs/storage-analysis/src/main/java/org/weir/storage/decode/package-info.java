/** Decodes the messages of agents; their rows leave here. */
package org.weir.storage.decode;
