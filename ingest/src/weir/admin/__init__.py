"""What an operator puts in force and looks after: topics, tables, site, rules, the pipeline."""
