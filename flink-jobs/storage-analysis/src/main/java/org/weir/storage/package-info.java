/** Puts the job together: {@link org.weir.storage.StorageAnalysisJob}. */
package org.weir.storage;
