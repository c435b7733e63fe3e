-- The digest of the header of a dataset's file of rows, so that another file is not taken for it. Without it: the
-- dataset has no rows yet, it reads a table, or its file is of the version before.

ALTER TABLE dataset ADD COLUMN rows_digest BYTEA CHECK (length(rows_digest) = 32);

DROP TRIGGER dataset_registration_stays ON dataset;

CREATE TRIGGER dataset_registration_stays
BEFORE UPDATE ON dataset
FOR EACH ROW
WHEN (OLD.state = 'deleted'
    OR NEW.id IS DISTINCT FROM OLD.id
    OR NEW.account IS DISTINCT FROM OLD.account
    OR NEW.custodian IS DISTINCT FROM OLD.custodian
    OR NEW.registered_at_millis IS DISTINCT FROM OLD.registered_at_millis
    OR NEW.registration IS DISTINCT FROM OLD.registration
    OR (OLD.rows_digest IS NOT NULL AND NEW.rows_digest IS DISTINCT FROM OLD.rows_digest))
EXECUTE FUNCTION refuse('a registration never changes, and a deleted dataset stays deleted');

-- Every start reads the rows of each account.

CREATE INDEX dataset_account ON dataset (account);

CREATE INDEX fingerprint_account ON fingerprint (account);
