-- Every key under which a fingerprint was recorded, in the order of their first use. An instance that does not know all
-- of them would not recognize the rows that others recorded.

CREATE TABLE used_fingerprint_key (
    position    INTEGER NOT NULL PRIMARY KEY CHECK (position >= 1),
    check_value TEXT    NOT NULL UNIQUE CHECK (length(check_value) = 64)
) STRICT, WITHOUT ROWID;

INSERT INTO used_fingerprint_key SELECT 1, check_value FROM fingerprint_key;

DROP TABLE fingerprint_key;

-- Whoever claims rows writes the first key as it is: on other databases this makes claims wait for each other.

CREATE TRIGGER used_fingerprint_key_is_never_changed
BEFORE UPDATE ON used_fingerprint_key
WHEN NEW.position <> OLD.position OR NEW.check_value <> OLD.check_value
BEGIN
    SELECT RAISE(ABORT, 'a used fingerprint key is never changed');
END;

CREATE TRIGGER used_fingerprint_key_is_never_removed
BEFORE DELETE ON used_fingerprint_key
BEGIN
    SELECT RAISE(ABORT, 'a used fingerprint key is never removed');
END;
