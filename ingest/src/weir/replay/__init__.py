"""A recorded center, published as if it were happening now, and what of it has landed."""
