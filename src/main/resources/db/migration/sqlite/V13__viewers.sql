-- Keys that read what costs nothing. A table's checks cannot be changed, so it is made anew.

CREATE TABLE access_key_with_viewers (
    key_id            TEXT    NOT NULL PRIMARY KEY CHECK (length(key_id) = 16),
    name              TEXT    NOT NULL CHECK (length(name) BETWEEN 1 AND 63 AND name <> 'admin'),
    role              TEXT    NOT NULL CHECK (role IN
        ('administrator', 'custodian', 'analyst', 'viewer', 'collector', 'auditor', 'operator')),
    datasets          TEXT    NOT NULL,
    collections       TEXT    NOT NULL,
    salt              BLOB    NOT NULL CHECK (length(salt) = 16),
    hash              BLOB    NOT NULL CHECK (length(hash) = 32),
    created_at_millis INTEGER NOT NULL,
    expires_at_millis INTEGER,
    revoked_at_millis INTEGER,
    replaces          TEXT UNIQUE,
    UNIQUE (key_id, name),
    FOREIGN KEY (replaces, name) REFERENCES access_key_with_viewers (key_id, name)
) STRICT, WITHOUT ROWID;

INSERT INTO access_key_with_viewers SELECT * FROM access_key;

DROP TABLE access_key;

ALTER TABLE access_key_with_viewers RENAME TO access_key;

CREATE UNIQUE INDEX access_key_name ON access_key (name) WHERE replaces IS NULL;

-- A key changes once in its life: it is revoked, and that for good.

CREATE TRIGGER access_key_is_revoked_once
BEFORE UPDATE ON access_key
WHEN OLD.revoked_at_millis IS NOT NULL
    OR NEW.revoked_at_millis IS NULL
    OR NEW.key_id IS NOT OLD.key_id
    OR NEW.name IS NOT OLD.name
    OR NEW.role IS NOT OLD.role
    OR NEW.datasets IS NOT OLD.datasets
    OR NEW.collections IS NOT OLD.collections
    OR NEW.salt IS NOT OLD.salt
    OR NEW.hash IS NOT OLD.hash
    OR NEW.created_at_millis IS NOT OLD.created_at_millis
    OR NEW.expires_at_millis IS NOT OLD.expires_at_millis
    OR NEW.replaces IS NOT OLD.replaces
BEGIN
    SELECT RAISE(ABORT, 'a key is revoked once and never changed');
END;

CREATE TRIGGER access_key_stays
BEFORE DELETE ON access_key
BEGIN
    SELECT RAISE(ABORT, 'a key is never removed: its name is never used again');
END;
