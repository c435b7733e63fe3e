-- Before every charge, an earlier charge of the same request is looked for. It is there where somebody removed the
-- question that a retry would find.

CREATE INDEX entry_of_request ON entry (account, analyst, request_hash, sequence) WHERE request_hash IS NOT NULL;
