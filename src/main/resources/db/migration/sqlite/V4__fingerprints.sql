-- The rows that were ever put, as keyed fingerprints, each with the one account that may spend on them. Kept for ever:
-- a deletion does not make budget new.

CREATE TABLE fingerprint (
    fingerprint TEXT NOT NULL PRIMARY KEY CHECK (length(fingerprint) = 64),
    account     TEXT NOT NULL REFERENCES account
) STRICT, WITHOUT ROWID;

CREATE TRIGGER fingerprint_is_never_changed
BEFORE UPDATE ON fingerprint
BEGIN
    SELECT RAISE(ABORT, 'a fingerprint is never changed');
END;

CREATE TRIGGER fingerprint_is_never_removed
BEFORE DELETE ON fingerprint
BEGIN
    SELECT RAISE(ABORT, 'a fingerprint is never removed');
END;

-- Under another key the same rows have another fingerprint, so all instances must hold the key that the first one held.

CREATE TABLE fingerprint_key (
    singleton   INTEGER NOT NULL PRIMARY KEY CHECK (singleton = 1),
    check_value TEXT    NOT NULL CHECK (length(check_value) = 64)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER fingerprint_key_is_never_changed
BEFORE UPDATE ON fingerprint_key
BEGIN
    SELECT RAISE(ABORT, 'the fingerprint key is never changed');
END;

CREATE TRIGGER fingerprint_key_is_never_removed
BEFORE DELETE ON fingerprint_key
BEGIN
    SELECT RAISE(ABORT, 'the fingerprint key is never removed');
END;

-- The instance that began the last upload: it alone may end it, or find at its next start that it was torn.

ALTER TABLE dataset ADD COLUMN loaded_by TEXT;
