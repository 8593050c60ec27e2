/** Holds events about storage, and what all operators share that find them. */
package org.weir.storage.events;
