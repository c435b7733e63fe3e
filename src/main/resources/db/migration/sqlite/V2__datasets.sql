-- A dataset's registration is kept as the bytes that were sent. Its id is never used again, so a row is never removed.

CREATE TABLE dataset (
    id                   TEXT    NOT NULL PRIMARY KEY,
    account              TEXT    NOT NULL REFERENCES account,
    custodian            TEXT    NOT NULL,
    registered_at_millis INTEGER NOT NULL,
    state                TEXT    NOT NULL CHECK (state IN ('registered', 'loading', 'ready', 'failed', 'deleted')),
    registration         BLOB    NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TRIGGER dataset_stays
BEFORE DELETE ON dataset
BEGIN
    SELECT RAISE(ABORT, 'a dataset''s id is never used again');
END;

CREATE TRIGGER dataset_registration_stays
BEFORE UPDATE ON dataset
WHEN OLD.state = 'deleted'
    OR NEW.id IS NOT OLD.id
    OR NEW.account IS NOT OLD.account
    OR NEW.custodian IS NOT OLD.custodian
    OR NEW.registered_at_millis IS NOT OLD.registered_at_millis
    OR NEW.registration IS NOT OLD.registration
BEGIN
    SELECT RAISE(ABORT, 'a registration never changes, and a deleted dataset stays deleted');
END;
