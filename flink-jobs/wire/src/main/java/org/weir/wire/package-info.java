/**
 * Encodes and decodes messages, and gives rows their identities and versions.
 *
 * <p>The messages are generated into this package. Their fields may be null where the schema says
 * so, which the generator does not annotate: so each class that is written by hand is marked as
 * {@link org.jspecify.annotations.NullMarked} by itself, and not the package.
 */
package org.weir.wire;
