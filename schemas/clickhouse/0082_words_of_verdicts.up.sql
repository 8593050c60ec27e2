-- What reports call a verdict stands beside what they say of findings.
ALTER TABLE report_words_versions COMMENT COLUMN kind 'finding, advice or verdict';
ALTER TABLE report_words_versions COMMENT COLUMN key 'the rule_id of a finding, or one of its advice, or a verdict';
ALTER TABLE report_words_versions COMMENT COLUMN text 'what the finding means, what to change, or what the verdict is called; <name> stands where a report has a number';
