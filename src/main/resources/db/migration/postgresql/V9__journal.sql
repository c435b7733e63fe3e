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

CREATE TRIGGER journal_is_never_changed
BEFORE UPDATE ON journal
FOR EACH ROW
EXECUTE FUNCTION refuse('an entry of the journal is never changed');

CREATE TRIGGER journal_is_never_removed
BEFORE DELETE OR TRUNCATE ON journal
EXECUTE FUNCTION refuse('an entry of the journal is never removed');
