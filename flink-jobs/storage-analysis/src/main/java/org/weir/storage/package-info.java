/** Puts the job together: {@link org.weir.storage.StorageAnalysisJob}. */
@NullMarked
package org.weir.storage;

import org.jspecify.annotations.NullMarked;
