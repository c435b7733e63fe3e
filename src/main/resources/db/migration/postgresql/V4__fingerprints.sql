-- The rows that were ever put, as keyed fingerprints, each with the one account that may spend on them. Kept for ever:
-- a deletion does not make budget new.

CREATE TABLE fingerprint (
    fingerprint TEXT NOT NULL PRIMARY KEY CHECK (length(fingerprint) = 64),
    account     TEXT NOT NULL REFERENCES account
);

CREATE FUNCTION fingerprint_is_never_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a fingerprint is never changed or removed';
END
$$;

CREATE TRIGGER fingerprint_is_never_changed
BEFORE UPDATE OR DELETE ON fingerprint
FOR EACH ROW EXECUTE FUNCTION fingerprint_is_never_changed();

CREATE TRIGGER fingerprints_are_never_emptied
BEFORE TRUNCATE ON fingerprint
FOR EACH STATEMENT EXECUTE FUNCTION fingerprint_is_never_changed();

-- Under another key the same rows have another fingerprint, so all instances must hold the key that the first one held.

CREATE TABLE fingerprint_key (
    singleton   BIGINT NOT NULL PRIMARY KEY CHECK (singleton = 1),
    check_value TEXT   NOT NULL CHECK (length(check_value) = 64)
);

CREATE FUNCTION fingerprint_key_is_never_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the fingerprint key is never changed or removed';
END
$$;

CREATE TRIGGER fingerprint_key_is_never_changed
BEFORE UPDATE OR DELETE ON fingerprint_key
FOR EACH ROW EXECUTE FUNCTION fingerprint_key_is_never_changed();

CREATE TRIGGER fingerprint_key_is_never_emptied
BEFORE TRUNCATE ON fingerprint_key
FOR EACH STATEMENT EXECUTE FUNCTION fingerprint_key_is_never_changed();

-- The instance that began the last upload: it alone may end it, or find at its next start that it was torn.

ALTER TABLE dataset ADD COLUMN loaded_by TEXT;
