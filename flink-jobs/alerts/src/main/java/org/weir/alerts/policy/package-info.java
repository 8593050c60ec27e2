/** Reads what messages a center wants its users to get. */
@NullMarked
package org.weir.alerts.policy;

import org.jspecify.annotations.NullMarked;
