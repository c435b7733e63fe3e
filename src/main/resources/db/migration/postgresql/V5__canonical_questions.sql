-- What was asked, as questions are compared. A line feed stands before, between and
-- after column names; no name contains one.

CREATE TABLE canonical_question (
    query_id     TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES question,
    dataset_id   TEXT COLLATE "C" NOT NULL,
    digest       BYTEA            NOT NULL CHECK (length(digest) = 32),
    column_names TEXT COLLATE "C" NOT NULL
);

CREATE INDEX canonical_question_alike ON canonical_question (dataset_id, digest, query_id);

-- Who got the answer of a question that somebody else had asked.

CREATE TABLE reader (
    query_id  TEXT COLLATE "C" NOT NULL REFERENCES question,
    principal TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (query_id, principal)
);

CREATE TRIGGER canonical_question_is_never_changed
BEFORE UPDATE ON canonical_question
FOR EACH STATEMENT EXECUTE FUNCTION refuse('what was asked is never changed');

CREATE TRIGGER canonical_question_stays
BEFORE DELETE OR TRUNCATE ON canonical_question
EXECUTE FUNCTION refuse('what was asked is never removed');
