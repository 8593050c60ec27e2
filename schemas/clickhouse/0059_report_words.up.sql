-- The words of reports, so that pages and questions say of a finding what mails say: `weir migrate up` writes them.
CREATE TABLE report_words_versions
(
    kind LowCardinality(String) COMMENT 'finding or advice',
    key LowCardinality(String) COMMENT 'the rule_id of a finding, or one of its advice',
    text String COMMENT 'what the finding means, or what to change; <name> stands where a report has a number',
    version UInt64 COMMENT 'the higher one wins',
    is_deleted UInt8 COMMENT '1: this version takes the row back'
)
ENGINE = ReplacingMergeTree(version, is_deleted)
ORDER BY (kind, key);

CREATE VIEW report_words AS SELECT * EXCEPT (version, is_deleted) FROM report_words_versions FINAL;
