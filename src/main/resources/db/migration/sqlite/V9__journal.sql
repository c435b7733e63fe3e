-- What was decided besides charges: one entry for each version of a deciding row. An entry's code is made with a key of
-- the home. Entries about one object are in one chain.

CREATE TABLE journal (
    chain    TEXT    NOT NULL,
    sequence INTEGER NOT NULL CHECK (sequence >= 1),
    object   TEXT    NOT NULL,
    content  BLOB    NOT NULL CHECK (length(content) = 32),
    previous BLOB    NOT NULL CHECK (length(previous) = 32),
    code     BLOB    NOT NULL CHECK (length(code) = 32),
    PRIMARY KEY (chain, sequence)
) STRICT, WITHOUT ROWID;

CREATE INDEX journal_of_object ON journal (object, sequence);

CREATE TRIGGER journal_is_never_changed
BEFORE UPDATE ON journal
BEGIN
    SELECT RAISE(ABORT, 'an entry of the journal is never changed');
END;

CREATE TRIGGER journal_is_never_removed
BEFORE DELETE ON journal
BEGIN
    SELECT RAISE(ABORT, 'an entry of the journal is never removed');
END;
