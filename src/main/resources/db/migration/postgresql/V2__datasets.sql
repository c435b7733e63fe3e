-- A dataset's registration is kept as the bytes that were sent. Its id is never used again, so a row is never removed.

CREATE TABLE dataset (
    id                   TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    account              TEXT COLLATE "C" NOT NULL REFERENCES account,
    custodian            TEXT COLLATE "C" NOT NULL,
    registered_at_millis BIGINT           NOT NULL,
    state                TEXT COLLATE "C" NOT NULL CHECK (state IN
        ('registered', 'loading', 'ready', 'failed', 'deleted')),
    registration         BYTEA            NOT NULL
);

CREATE TRIGGER dataset_stays
BEFORE DELETE OR TRUNCATE ON dataset
EXECUTE FUNCTION refuse('a dataset''s id is never used again');

CREATE TRIGGER dataset_registration_stays
BEFORE UPDATE ON dataset
FOR EACH ROW
WHEN (OLD.state = 'deleted'
    OR NEW.id IS DISTINCT FROM OLD.id
    OR NEW.account IS DISTINCT FROM OLD.account
    OR NEW.custodian IS DISTINCT FROM OLD.custodian
    OR NEW.registered_at_millis IS DISTINCT FROM OLD.registered_at_millis
    OR NEW.registration IS DISTINCT FROM OLD.registration)
EXECUTE FUNCTION refuse('a registration never changes, and a deleted dataset stays deleted');
