-- Every key under which a fingerprint was recorded, in the order of their first use. An instance that does not know all
-- of them would not recognize the rows that others recorded.

CREATE TABLE used_fingerprint_key (
    position    BIGINT NOT NULL PRIMARY KEY CHECK (position >= 1),
    check_value TEXT   NOT NULL UNIQUE CHECK (length(check_value) = 64)
);

INSERT INTO used_fingerprint_key SELECT 1, check_value FROM fingerprint_key;

DROP TABLE fingerprint_key;
DROP FUNCTION fingerprint_key_is_never_changed();

-- Whoever claims rows writes the first key as it is, so that claims wait for each other.

CREATE TRIGGER used_fingerprint_key_is_never_changed
BEFORE UPDATE ON used_fingerprint_key
FOR EACH ROW WHEN (NEW IS DISTINCT FROM OLD)
EXECUTE FUNCTION refuse('a used fingerprint key is never changed');

CREATE TRIGGER used_fingerprint_key_stays
BEFORE DELETE OR TRUNCATE ON used_fingerprint_key
EXECUTE FUNCTION refuse('a used fingerprint key is never removed');
