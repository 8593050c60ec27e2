-- Cases of users' programs, the messages about them, how far these were delivered, and what users want.
CREATE TABLE cases_versions
(
    cluster LowCardinality(String),
    case_id String COMMENT 'hash of cluster, user, program and rule',
    user LowCardinality(String),
    program String COMMENT 'base name of the executable; of an interpreter with the hash of the command line',
    rule_id LowCardinality(String),
    title LowCardinality(String) COMMENT 'of the rule',
    state LowCardinality(String) COMMENT 'counted: no message has named it in the present mode; open; fixed',
    runs UInt64 COMMENT 'that had it so far',
    node_hours_lost Float64 COMMENT 'in all of them; a run with two causes counts in both cases',
    times_sent UInt32 COMMENT 'messages that named it in the mode sent_in',
    sent_in LowCardinality(String) COMMENT 'mode of the last message: shadow, rehearsal or live; empty before the first',
    sent_at Nullable(DateTime64(6, 'UTC')) COMMENT 'of the last message',
    retracted Array(String) COMMENT 'jobs of messages in which it is not found any more, until the next message says so',
    changed_at DateTime64(6, 'UTC'),
    version UInt64 COMMENT 'changes of the case',
    is_deleted UInt8,
    origin LowCardinality(String),
    landed_at DateTime64(6, 'UTC') DEFAULT now64(6)
)
ENGINE = ReplacingMergeTree(version, is_deleted)
ORDER BY (cluster, user, case_id);

CREATE VIEW cases AS SELECT * EXCEPT (version, is_deleted) FROM cases_versions FINAL;

CREATE TABLE alerts_versions
(
    cluster LowCardinality(String),
    user LowCardinality(String),
    kind LowCardinality(String) COMMENT 'finding, reminder, fixed or digest',
    unit String COMMENT 'what it is about: a job, an array, a case or a period',
    alert String COMMENT 'hash of kind, unit and user; empty of what was held back',
    mode LowCardinality(String) COMMENT 'shadow, rehearsal or live',
    held LowCardinality(String) COMMENT 'why it was held back: unwanted, excluded, below_thresholds, storage, muted, sent_before or limit; empty where it was sent',
    cases Array(String),
    jobs UInt32 COMMENT 'of the unit, with findings',
    node_hours_lost Float64 COMMENT 'by these jobs',
    settled_at Nullable(DateTime64(6, 'UTC')) COMMENT 'when the last of their results was published',
    decided_at DateTime64(6, 'UTC'),
    version UInt64 COMMENT 'microsecond of the decision',
    is_deleted UInt8,
    origin LowCardinality(String),
    landed_at DateTime64(6, 'UTC') DEFAULT now64(6)
)
ENGINE = ReplacingMergeTree(version, is_deleted)
ORDER BY (cluster, user, unit, kind, mode);

CREATE VIEW alerts AS SELECT * EXCEPT (version, is_deleted) FROM alerts_versions FINAL;

CREATE TABLE deliveries_versions
(
    cluster LowCardinality(String),
    alert String,
    kind LowCardinality(String) COMMENT 'finding, reminder, fixed or digest; to operators trouble or over',
    unit String,
    recipient LowCardinality(String) COMMENT 'a user, or operators',
    mode LowCardinality(String) COMMENT 'rehearsal or live',
    state LowCardinality(String) COMMENT 'attempt, waiting, sent, failed or ambiguous',
    cases Array(String),
    subject String COMMENT 'of the mail',
    attempts UInt32,
    channel_names Array(String) COMMENT 'mail, alertmanager, or the name of a chat or webhook',
    channel_addresses Array(String),
    channel_states Array(String),
    channel_reasons Array(String) COMMENT 'answers of refusals',
    settled_at Nullable(DateTime64(6, 'UTC')),
    decided_at DateTime64(6, 'UTC'),
    time DateTime64(6, 'UTC') COMMENT 'of this state',
    version UInt64 COMMENT 'microsecond of this state',
    is_deleted UInt8,
    origin LowCardinality(String),
    landed_at DateTime64(6, 'UTC') DEFAULT now64(6)
)
ENGINE = ReplacingMergeTree(version, is_deleted)
ORDER BY (cluster, alert);

CREATE VIEW deliveries AS SELECT * EXCEPT (version, is_deleted, channel_names, channel_addresses, channel_states, channel_reasons),
    arrayZip(channel_names, channel_addresses, channel_states, channel_reasons) AS channels
FROM deliveries_versions FINAL;

CREATE TABLE alert_controls_versions
(
    cluster LowCardinality(String),
    user LowCardinality(String),
    kind LowCardinality(String) COMMENT 'mute, opt or wrong',
    subject String COMMENT 'of mute a case, a rule or all; of opt all; of wrong the alert and the rule',
    alert String COMMENT 'of wrong; else empty',
    rule_id LowCardinality(String) COMMENT 'of wrong; else empty',
    until Nullable(DateTime64(6, 'UTC')) COMMENT 'of mute: its end; null for none',
    wanted Nullable(UInt8) COMMENT 'of opt: 1 for messages, 0 for none',
    text String COMMENT 'of wrong: the words of the user',
    said_by String COMMENT 'a login, or link',
    time DateTime64(6, 'UTC'),
    version UInt64 COMMENT 'its microsecond',
    is_deleted UInt8,
    origin LowCardinality(String),
    landed_at DateTime64(6, 'UTC') DEFAULT now64(6)
)
ENGINE = ReplacingMergeTree(version, is_deleted)
ORDER BY (cluster, user, kind, subject);

CREATE VIEW alert_controls AS SELECT * EXCEPT (version, is_deleted) FROM alert_controls_versions FINAL;
