-- An answer that is longer than 64 KB. Its first 64 KB are the body of its question. The others are pieces of 64 KB, so
-- that a part of it is read without all that is before it. One transaction writes body, pieces and digests.
-- The journal has the length and the digests with the answer. A piece is used if it has its digest. The digests are the
-- SHA-256 of the whole answer, of the body, and of each piece in its order.

CREATE TABLE long_answer (
    query_id TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES question,
    length   BIGINT           NOT NULL CHECK (length > 0),
    digests  BYTEA            NOT NULL CHECK (length(digests) > 0)
);

CREATE TABLE answer_piece (
    query_id TEXT COLLATE "C" NOT NULL REFERENCES question,
    piece    BIGINT           NOT NULL CHECK (piece > 0),
    content  BYTEA            NOT NULL CHECK (length(content) > 0),
    PRIMARY KEY (query_id, piece)
);

CREATE TRIGGER long_answer_is_never_changed
BEFORE UPDATE ON long_answer
FOR EACH STATEMENT EXECUTE FUNCTION refuse('the digests of an answer are never changed');

CREATE TRIGGER long_answer_stays
BEFORE DELETE OR TRUNCATE ON long_answer
EXECUTE FUNCTION refuse('the digests of an answer are never removed');

CREATE TRIGGER answer_piece_is_never_changed
BEFORE UPDATE ON answer_piece
FOR EACH STATEMENT EXECUTE FUNCTION refuse('a piece of an answer is never changed');

CREATE TRIGGER answer_piece_stays
BEFORE DELETE OR TRUNCATE ON answer_piece
EXECUTE FUNCTION refuse('a piece of an answer is never removed');
