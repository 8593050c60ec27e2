"""Questions to the tables: SQL of one's own, and the saved questions of schemas/queries."""
