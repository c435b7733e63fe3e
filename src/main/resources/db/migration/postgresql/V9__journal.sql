-- What was decided besides charges: one entry for each version of a deciding row. An entry's code is made with a key of
-- the home. Entries about one object are in one chain.

CREATE TABLE journal (
    chain    TEXT COLLATE "C" NOT NULL,
    sequence BIGINT           NOT NULL CHECK (sequence >= 1),
    object   TEXT COLLATE "C" NOT NULL,
    content  BYTEA            NOT NULL CHECK (length(content) = 32),
    previous BYTEA            NOT NULL CHECK (length(previous) = 32),
    code     BYTEA            NOT NULL CHECK (length(code) = 32),
    PRIMARY KEY (chain, sequence)
);

CREATE INDEX journal_of_object ON journal (object, sequence);

CREATE TABLE journal_head (
    chain    TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    sequence BIGINT           NOT NULL CHECK (sequence >= 1),
    code     BYTEA            NOT NULL CHECK (length(code) = 32)
);

CREATE TRIGGER journal_is_never_changed
BEFORE UPDATE ON journal
FOR EACH ROW
EXECUTE FUNCTION refuse('an entry of the journal is never changed');

CREATE TRIGGER journal_is_never_removed
BEFORE DELETE OR TRUNCATE ON journal
EXECUTE FUNCTION refuse('an entry of the journal is never removed');

CREATE TRIGGER journal_head_moves_forward
BEFORE UPDATE ON journal_head
FOR EACH ROW
WHEN (NEW.chain IS DISTINCT FROM OLD.chain OR NEW.sequence <= OLD.sequence)
EXECUTE FUNCTION refuse('a chain of the journal only moves forward');

CREATE TRIGGER journal_head_stays
BEFORE DELETE OR TRUNCATE ON journal_head
EXECUTE FUNCTION refuse('a chain of the journal is never removed');
