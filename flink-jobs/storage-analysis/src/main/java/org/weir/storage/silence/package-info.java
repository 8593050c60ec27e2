/** Finds servers and devices that report no more. */
package org.weir.storage.silence;
