/** Holds events about storage, and what all operators share that find them. */
@NullMarked
package org.weir.storage.events;

import org.jspecify.annotations.NullMarked;
