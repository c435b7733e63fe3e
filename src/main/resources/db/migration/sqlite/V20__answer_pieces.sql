-- What is too long for the row of its question. The row has the first 65,536 bytes of an answer; the pieces follow them
-- in order, and are written in the same transaction. A part in the middle is found without reading those before it.
-- The journal has the digest of the whole answer, and whatever is sent is compared with it first.

CREATE TABLE answer_piece (
    query_id TEXT    NOT NULL REFERENCES question,
    piece    INTEGER NOT NULL CHECK (piece >= 0),
    content  BLOB    NOT NULL CHECK (length(content) > 0),
    PRIMARY KEY (query_id, piece)
) STRICT;

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
