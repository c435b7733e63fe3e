-- An answer that is longer than 64 KB. Its first 64 KB are the body of its question. The others are pieces of 64 KB, so
-- that a part of it is read without all that is before it. One transaction writes body, pieces and digests.
-- The journal has the length and the digests with the answer. A piece is used if it has its digest. The digests are the
-- SHA-256 of the whole answer, of the body, and of each piece in its order.

CREATE TABLE long_answer (
    query_id TEXT    NOT NULL PRIMARY KEY REFERENCES question,
    length   INTEGER NOT NULL CHECK (length > 0),
    digests  BLOB    NOT NULL CHECK (length(digests) > 0)
) STRICT;

CREATE TABLE answer_piece (
    query_id TEXT    NOT NULL REFERENCES question,
    piece    INTEGER NOT NULL CHECK (piece > 0),
    content  BLOB    NOT NULL CHECK (length(content) > 0),
    PRIMARY KEY (query_id, piece)
) STRICT;

CREATE TRIGGER long_answer_is_never_changed
BEFORE UPDATE ON long_answer
BEGIN
    SELECT RAISE(ABORT, 'the digests of an answer are never changed');
END;

CREATE TRIGGER long_answer_stays
BEFORE DELETE ON long_answer
BEGIN
    SELECT RAISE(ABORT, 'the digests of an answer are never removed');
END;

CREATE TRIGGER answer_piece_is_never_changed
BEFORE UPDATE ON answer_piece
BEGIN
    SELECT RAISE(ABORT, 'a piece of an answer is never changed');
END;

CREATE TRIGGER answer_piece_stays
BEFORE DELETE ON answer_piece
BEGIN
    SELECT RAISE(ABORT, 'a piece of an answer is never removed');
END;
