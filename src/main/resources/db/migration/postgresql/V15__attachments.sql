-- Content that an answer refers to and that is too long for it. It is written in pieces before the answer is stored.
-- Two attempts under one debit may draw different noise: each is a draw of its own, and their pieces never mix. Pieces
-- are encrypted, and the key of a draw is written with the answer. Nobody can ever read another draw.
-- No row here decides anything. The answer, which is journaled, states the digest of its content, and whatever is read
-- is compared with that digest. A row of attachment says where to look, and which pieces stay.

CREATE TABLE attachment_piece (
    query_id TEXT COLLATE "C" NOT NULL REFERENCES question,
    draw     BYTEA            NOT NULL CHECK (length(draw) = 32),
    piece    BIGINT           NOT NULL CHECK (piece >= 0),
    content  BYTEA            NOT NULL CHECK (length(content) > 0),
    PRIMARY KEY (query_id, draw, piece)
);

-- Written with the answer. The series is the query id of the first answer that this one adds to; its own, for a first.

CREATE TABLE attachment (
    query_id   TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES question,
    dataset_id TEXT COLLATE "C" NOT NULL,
    series     TEXT COLLATE "C" NOT NULL REFERENCES attachment,
    draw       BYTEA            NOT NULL CHECK (length(draw) = 32),
    draw_key   BYTEA            NOT NULL CHECK (length(draw_key) = 32)
);

CREATE INDEX attachment_of_series ON attachment (series, query_id);

CREATE INDEX attachment_first_of_series ON attachment (dataset_id, query_id) WHERE series = query_id;

CREATE TRIGGER attachment_is_never_changed
BEFORE UPDATE ON attachment
FOR EACH STATEMENT EXECUTE FUNCTION refuse('an attachment is never changed');

CREATE TRIGGER attachment_stays
BEFORE DELETE OR TRUNCATE ON attachment
EXECUTE FUNCTION refuse('an attachment is never removed');

CREATE TRIGGER attachment_piece_is_never_changed
BEFORE UPDATE ON attachment_piece
FOR EACH STATEMENT EXECUTE FUNCTION refuse('a piece of an attachment is never changed');

-- What a crash or a slower attempt left may go.

CREATE FUNCTION attachment_piece_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM attachment WHERE query_id = OLD.query_id AND draw = OLD.draw) THEN
        RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation',
            MESSAGE = 'a piece of an attachment is never removed';
    END IF;
    RETURN OLD;
END;
$$;

CREATE TRIGGER attachment_piece_stays
BEFORE DELETE ON attachment_piece
FOR EACH ROW EXECUTE FUNCTION attachment_piece_stays();

CREATE TRIGGER attachment_pieces_stay
BEFORE TRUNCATE ON attachment_piece
EXECUTE FUNCTION refuse('a piece of an attachment is never removed');
