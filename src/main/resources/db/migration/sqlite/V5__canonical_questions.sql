-- What was asked, as questions are compared. A line feed stands before, between and
-- after column names; no name contains one.

CREATE TABLE canonical_question (
    query_id     TEXT NOT NULL PRIMARY KEY REFERENCES question,
    dataset_id   TEXT NOT NULL,
    digest       BLOB NOT NULL CHECK (length(digest) = 32),
    column_names TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX canonical_question_alike ON canonical_question (dataset_id, digest, query_id);

-- Who got the answer of a question that somebody else had asked.

CREATE TABLE reader (
    query_id  TEXT NOT NULL REFERENCES question,
    principal TEXT NOT NULL,
    PRIMARY KEY (query_id, principal)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER canonical_question_is_never_changed
BEFORE UPDATE ON canonical_question
BEGIN
    SELECT RAISE(ABORT, 'what was asked is never changed');
END;

CREATE TRIGGER canonical_question_stays
BEFORE DELETE ON canonical_question
BEGIN
    SELECT RAISE(ABORT, 'what was asked is never removed');
END;
