-- Of two looks of the same second the final one wins, whichever comes first.
ALTER TABLE job_manifests_versions COMMENT COLUMN version 'twice the Unix second of the look, and one more if it is final';
