-- The blocks of uploaded datasets whose load was begun, each with its file of rows. A block without a row was never
-- loaded. It is loaded once: its index is its place among the blocks of the registration. The instance in loaded_by
-- alone may end the load, or find at its next start that it was torn. The digest is that of the header of its file.

CREATE TABLE dataset_block (
    dataset_id  TEXT    NOT NULL REFERENCES dataset,
    block       INTEGER NOT NULL CHECK (block >= 0),
    state       TEXT    NOT NULL CHECK (state IN ('loading', 'ready', 'failed')),
    loaded_by   TEXT    NOT NULL,
    rows_digest BLOB    CHECK (length(rows_digest) = 32),
    PRIMARY KEY (dataset_id, block),
    CHECK ((state = 'ready') = (rows_digest IS NOT NULL))
) STRICT, WITHOUT ROWID;

CREATE TRIGGER dataset_block_stays
BEFORE DELETE ON dataset_block
BEGIN
    SELECT RAISE(ABORT, 'a block is never loaded again');
END;

CREATE TRIGGER dataset_block_is_loaded_once
BEFORE UPDATE ON dataset_block
WHEN OLD.state = 'ready'
    OR NEW.dataset_id IS NOT OLD.dataset_id
    OR NEW.block IS NOT OLD.block
BEGIN
    SELECT RAISE(ABORT, 'a block is never loaded again');
END;
