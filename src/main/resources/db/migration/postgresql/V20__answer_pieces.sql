-- What is too long for the row of its question. The row has the first 65,536 bytes of an answer; the pieces follow them
-- in order, and are written in the same transaction. A part in the middle is found without reading those before it.
-- The journal has the digest of the whole answer, and whatever is sent is compared with it first.

CREATE TABLE answer_piece (
    query_id TEXT COLLATE "C" NOT NULL REFERENCES question,
    piece    BIGINT           NOT NULL CHECK (piece >= 0),
    content  BYTEA            NOT NULL CHECK (length(content) > 0),
    PRIMARY KEY (query_id, piece)
);

CREATE TRIGGER answer_piece_is_never_changed
BEFORE UPDATE ON answer_piece
FOR EACH STATEMENT EXECUTE FUNCTION refuse('a piece of an answer is never changed');

CREATE TRIGGER answer_piece_stays
BEFORE DELETE OR TRUNCATE ON answer_piece
EXECUTE FUNCTION refuse('a piece of an answer is never removed');
