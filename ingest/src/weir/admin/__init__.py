"""What an operator activates and looks after: topics, tables, site, rules, the pipeline."""
