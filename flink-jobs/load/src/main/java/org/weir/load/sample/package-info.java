/** Holds one sample of a server, and what its devices did since the one before. */
package org.weir.load.sample;
