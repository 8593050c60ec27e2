ALTER TABLE report_words_versions COMMENT COLUMN kind 'finding or advice';
ALTER TABLE report_words_versions COMMENT COLUMN key 'the rule_id of a finding, or one of its advice';
ALTER TABLE report_words_versions COMMENT COLUMN text 'what the finding means, or what to change; <name> stands where a report has a number';
