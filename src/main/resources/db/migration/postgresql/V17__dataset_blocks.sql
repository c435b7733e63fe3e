-- The blocks of uploaded datasets whose load was begun, each with its file of rows. A block without a row was never
-- loaded. It is loaded once: its index is its place among the blocks of the registration. The instance in loaded_by
-- alone may end the load, or find at its next start that it was torn. The digest is that of the header of its file.

CREATE TABLE dataset_block (
    dataset_id  TEXT COLLATE "C" NOT NULL REFERENCES dataset,
    block       BIGINT           NOT NULL CHECK (block >= 0),
    state       TEXT COLLATE "C" NOT NULL CHECK (state IN ('loading', 'ready', 'failed')),
    loaded_by   TEXT             NOT NULL,
    rows_digest BYTEA            CHECK (length(rows_digest) = 32),
    PRIMARY KEY (dataset_id, block),
    CHECK ((state = 'ready') = (rows_digest IS NOT NULL))
);

CREATE TRIGGER dataset_block_stays
BEFORE DELETE OR TRUNCATE ON dataset_block
EXECUTE FUNCTION refuse('a block is never loaded again');

CREATE TRIGGER dataset_block_is_loaded_once
BEFORE UPDATE ON dataset_block
FOR EACH ROW
WHEN (OLD.state = 'ready'
    OR NEW.dataset_id IS DISTINCT FROM OLD.dataset_id
    OR NEW.block IS DISTINCT FROM OLD.block)
EXECUTE FUNCTION refuse('a block is never loaded again');
