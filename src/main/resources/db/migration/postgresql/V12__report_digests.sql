-- Digests of what is kept of reports one by one, each brought up to date with its row. They are made with the key of the
-- home, so those of older rows are made when the journal begins, and are null until then. ids and tickets are a nonce of
-- 16 bytes and a masked digest of the set. rounds is the chained digest of all rounds and that of the last.

ALTER TABLE collection_tally ADD COLUMN ids BYTEA CHECK (length(ids) = 48);

ALTER TABLE training ADD COLUMN tickets BYTEA CHECK (length(tickets) = 48);

ALTER TABLE training ADD COLUMN rounds BYTEA CHECK (length(rounds) = 64);
