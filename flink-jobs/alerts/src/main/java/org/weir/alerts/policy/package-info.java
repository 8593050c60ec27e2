/** Reads what messages a center wants its users to get. */
package org.weir.alerts.policy;
