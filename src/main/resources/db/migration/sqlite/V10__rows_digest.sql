-- The digest of the header of a dataset's file of rows, so that another file is not taken for it. Without it: the
-- dataset has no rows yet, it reads a table, or its file is of the version before.

ALTER TABLE dataset ADD COLUMN rows_digest BLOB CHECK (length(rows_digest) = 32);

DROP TRIGGER dataset_registration_stays;

CREATE TRIGGER dataset_registration_stays
BEFORE UPDATE ON dataset
WHEN OLD.state = 'deleted'
    OR NEW.id IS NOT OLD.id
    OR NEW.account IS NOT OLD.account
    OR NEW.custodian IS NOT OLD.custodian
    OR NEW.registered_at_millis IS NOT OLD.registered_at_millis
    OR NEW.registration IS NOT OLD.registration
    OR (OLD.rows_digest IS NOT NULL AND NEW.rows_digest IS NOT OLD.rows_digest)
BEGIN
    SELECT RAISE(ABORT, 'a registration never changes, and a deleted dataset stays deleted');
END;

-- Every start reads the rows of each account.

CREATE INDEX dataset_account ON dataset (account);

CREATE INDEX fingerprint_account ON fingerprint (account);
