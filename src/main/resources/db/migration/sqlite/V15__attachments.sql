-- Content that an answer refers to and that is too long for it. It is written in pieces before the answer is stored.
-- Two attempts under one debit may draw different noise: each is a draw of its own, and their pieces never mix. Pieces
-- are encrypted, and the key of a draw is written with the answer. Nobody can ever read another draw.
-- No row here decides anything. The answer, which is journaled, states the digest of its content, and whatever is read
-- is compared with that digest. A row of attachment says where to look, and which pieces stay.

CREATE TABLE attachment_piece (
    query_id TEXT    NOT NULL REFERENCES question,
    draw     BLOB    NOT NULL CHECK (length(draw) = 32),
    piece    INTEGER NOT NULL CHECK (piece >= 0),
    content  BLOB    NOT NULL CHECK (length(content) > 0),
    PRIMARY KEY (query_id, draw, piece)
) STRICT;

-- Written with the answer. The series is the query id of the first answer that this one adds to; its own, for a first.

CREATE TABLE attachment (
    query_id   TEXT NOT NULL PRIMARY KEY REFERENCES question,
    dataset_id TEXT NOT NULL,
    series     TEXT NOT NULL REFERENCES attachment,
    draw       BLOB NOT NULL CHECK (length(draw) = 32),
    draw_key   BLOB NOT NULL CHECK (length(draw_key) = 32)
) STRICT, WITHOUT ROWID;

CREATE INDEX attachment_of_series ON attachment (series, query_id);

CREATE INDEX attachment_first_of_series ON attachment (dataset_id, query_id) WHERE series = query_id;

CREATE TRIGGER attachment_is_never_changed
BEFORE UPDATE ON attachment
BEGIN
    SELECT RAISE(ABORT, 'an attachment is never changed');
END;

CREATE TRIGGER attachment_stays
BEFORE DELETE ON attachment
BEGIN
    SELECT RAISE(ABORT, 'an attachment is never removed');
END;

CREATE TRIGGER attachment_piece_is_never_changed
BEFORE UPDATE ON attachment_piece
BEGIN
    SELECT RAISE(ABORT, 'a piece of an attachment is never changed');
END;

-- What a crash or a slower attempt left may go.

CREATE TRIGGER attachment_piece_stays
BEFORE DELETE ON attachment_piece
WHEN EXISTS (SELECT 1 FROM attachment WHERE query_id = OLD.query_id AND draw = OLD.draw)
BEGIN
    SELECT RAISE(ABORT, 'a piece of an attachment is never removed');
END;
